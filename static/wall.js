// Pages the screens in the room: measures how many rows fit, shows page after page, says which and when the next comes.
// A list is set in columns as high as the screen; what does not fit stands in further columns beside it, a page is moved
// into view as a whole, so that every row is on exactly one page. Keys: arrows, space to hold, f for full screen.
"use strict";

/** What stands on every screen. @param {string} selector */
const must = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const wall = must("[data-wall]");
const says = must("[data-wall-says]");
const NEWS = 20_000;
const IDLE = 3000;
const words = /** @type {Record<"seconds" | "range" | "page" | "held" | "next", string>} */ (wall.dataset);
const seconds = Number(words.seconds);
const state = { kind: /** @type {string | undefined} */ (""), page: 0, left: seconds, held: false };
/** @typedef {{ row: HTMLElement, isTop: boolean, page: number }} Row */
/** @typedef {{ pages: number, width: number, rows: Row[] }} Laid */
/** @type {Laid} */
let laid = { pages: 1, width: 0, rows: [] };

const screens = () => [...wall.querySelectorAll(".wall-screen")];
const shown = () => { const filled = screens().filter((each) => !("empty" in each.dataset)); return filled.length ? filled : screens().slice(0, 1); };
const current = () => shown().find((each) => each.dataset.kind === state.kind) || shown()[0];

/**
 * Where each row of the screen's list stands: pages of as many columns as fit side by side.
 * @param {HTMLElement} screen
 * @returns {Laid}
 */
function lay(screen) {
  const list = screen.querySelector(".wall-list");
  if (!list) return { pages: 1, width: 0, rows: [] };
  list.style.transform = "";
  const gap = parseFloat(getComputedStyle(list).columnGap) || 0;
  const start = list.getBoundingClientRect();
  const width = start.width + gap;
  const isRtl = getComputedStyle(list).direction === "rtl";
  /** @type {number | null} */
  let column = null;
  const rows = /** @type {HTMLElement[]} */ ([...list.children]).map((row) => {
    const box = row.getBoundingClientRect();
    const across = isRtl ? start.right - box.right : box.left - start.left;
    const isTop = column === null || Math.abs(across - column) > 2;
    column = across;
    return { row, isTop, page: Math.max(0, Math.floor((across + 2) / width)) };
  });
  /** @type {string | null | undefined} */
  let letter = null;
  for (const { row, isTop } of rows) {
    row.classList.toggle("top", isTop || row.dataset.key !== letter);
    letter = row.dataset.key;
  }
  return { pages: (rows.at(-1)?.page ?? 0) + 1, width: isRtl ? -width : width, rows };
}

function range() {
  const keys = laid.rows.filter(({ page }) => page === state.page).map(({ row }) => row.dataset.key).filter(Boolean);
  const [first, last] = [keys[0], keys.at(-1)];
  if (!first || !last) return "";
  return first === last ? first : words.range.replace("%a", first).replace("%b", last);
}

function tell() {
  const parts = [range()];
  if (laid.pages > 1) parts.push(words.page.replace("%n", String(state.page + 1)).replace("%m", String(laid.pages)));
  if (laid.pages > 1 || shown().length > 1) parts.push(state.held ? words.held : words.next.replace("%n", String(state.left)));
  says.textContent = parts.filter(Boolean).join(" · ");
}

function show() {
  const screen = current();
  state.kind = screen.dataset.kind;
  for (const each of screens()) each.hidden = each !== screen;
  document.body.dataset.screen = String(state.kind);
  laid = lay(screen);
  state.page = Math.min(state.page, laid.pages - 1);
  const list = screen.querySelector(".wall-list");
  if (list && state.page) list.style.transform = `translateX(${-state.page * laid.width}px)`;
  const heading = must("[data-wall-title]"), title = screen.dataset.title ?? "";
  if (heading.textContent !== title) heading.textContent = title;
  tell();
}

/** @param {1 | -1} by */
function turn(by) {
  const all = shown();
  const at = all.indexOf(current());
  state.left = seconds;
  if (state.page + by >= 0 && state.page + by < laid.pages) {
    state.page += by;
    return show();
  }
  state.kind = all[(at + by + all.length) % all.length].dataset.kind;
  state.page = by < 0 ? Infinity : 0;
  return show();
}

/** A new urgent announcement covers the screen for 20 seconds, then it is a tall band above the list. */
function tellNews() {
  const now = window.doomdesk?.serverNow?.() || Date.now();
  for (const each of document.querySelectorAll(".wall-news > .urgent")) {
    const isNew = now - Number(each.dataset.posted) * 1000 < NEWS;
    if (each.classList.contains("new") && !isNew) requestAnimationFrame(show);
    each.classList.toggle("new", isNew);
  }
}

function hold() {
  state.held = !state.held;
  state.left = seconds;
  must('[data-wall-do="hold"]').setAttribute("aria-pressed", String(state.held));
  tell();
}

/** @type {AudioContext | null} */
let sound = null;

/** @param {number} times */
function chime(times) {
  if (sound) window.doomdesk?.chime?.(sound, times);
}

/** @param {HTMLElement} [button] */
function setSound(button) {
  if (sound) sound.close();
  sound = sound ? null : new AudioContext();
  button?.setAttribute("aria-pressed", String(sound !== null));
  chime(1);
}

/** @type {Record<string, (button?: HTMLElement) => unknown>} */
const acts = {
  back: () => turn(-1),
  on: () => turn(1),
  hold,
  full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  sound: setSound,
};
/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowRight: "on", " ": "hold", f: "full" };

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-wall-do]") : null;
  if (button) acts[button.dataset.wallDo ?? ""](button);
});
document.addEventListener("keydown", (event) => {
  if (event.target instanceof Element && event.target.closest("button, a") && event.key === " ") return;
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  acts[act]();
});

let idle = 0;
document.addEventListener("pointermove", () => {
  document.body.classList.add("near");
  clearTimeout(idle);
  idle = setTimeout(() => document.body.classList.remove("near"), IDLE);
});

document.addEventListener("doomdesk:swapped", () => { tellNews(); show(); });
document.addEventListener("doomdesk:warning", ({ detail }) => chime(detail.due === 0 ? 3 : 1));
addEventListener("resize", show);
document.fonts?.ready.then(show);
setInterval(() => {
  tellNews();
  if (state.held || (laid.pages < 2 && shown().length < 2)) return;
  state.left -= 1;
  if (state.left <= 0) turn(1); else tell();
}, 1000);
tellNews();
show();
