// News on the open page, without HTTPS: what is so for its viewer (data-notice) and was not so before is put before the
// title and, on a device that asked for it, heard. The device's clock warnings are news too.
const desk = (window.doomdesk ??= {});
const place = document.getElementById("tell");
const button = place?.querySelector("[data-sound]");
const KEY = "doomdesk-sound";
/** @type {AudioContext | null} */
let sound = null;
let plain = document.title, shown = "";
/** @type {string[]} */
let news = [];

const wanted = () => localStorage.getItem(KEY) === "1";
const notices = () => [...document.querySelectorAll("[data-notice]")];
let known = new Set(notices().map(each => each.dataset.notice));

function showTitle() {
  if (document.title !== shown) plain = document.title;
  shown = news.length ? `(${news.length}) ${news.at(-1)} · ${plain}` : plain;
  if (document.title !== shown) document.title = shown;
}

/** @param {string[]} found */
function announce(found) {
  news.push(...found);
  showTitle();
  if (found.length && sound && wanted()) desk.chime?.(sound, 2);
}

document.addEventListener("doomdesk:swapped", () => {
  const now = notices();
  announce(now.filter(each => !known.has(each.dataset.notice)).map(each => each.textContent ?? ""));
  known = new Set(now.map(each => each.dataset.notice));
});
document.addEventListener("doomdesk:warning", ({ target }) => {
  const words = target instanceof Element && target.matches("[data-also]") ? target.querySelector("[data-clock-tell]") : null;
  if (words?.textContent) announce([words.textContent]);
});

function read() {
  news = [];
  showTitle();
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) read(); });

/* Browsers let a page be heard once it was touched. */
function listen() {
  if (wanted()) sound ??= new AudioContext();
  if (sound?.state === "suspended") sound.resume();
}
for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => { read(); listen(); });

function showButton() {
  button?.setAttribute("aria-pressed", String(wanted()));
  place?.querySelector("[data-touch]")?.toggleAttribute("hidden", !wanted());
}
if (place && button) {
  place.hidden = false;
  /** @type {HTMLElement} */ (place.querySelector("[data-open]")).hidden = false;
  /** @type {HTMLElement} */ (place.querySelector("[data-plain]")).hidden = isSecureContext;
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, wanted() ? "" : "1");
    listen();
    if (wanted() && sound) desk.chime?.(sound, 1);
    showButton();
  });
  showButton();
}
desk.announces = wanted;
