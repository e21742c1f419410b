/* Ctrl K, or "/" where nothing is typed in, opens the page Find as a box: what fits comes as it is typed, arrows walk over
   it, Enter opens the first or the chosen one. Without this script the links to the page lead to it. */
const box = /** @type {HTMLDialogElement} */ (document.getElementById("find-box"));
const form = /** @type {HTMLFormElement} */ (box.querySelector("form"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
const hits = /** @type {HTMLElement} */ (box.querySelector(".hits"));
const status = /** @type {HTMLElement} */ (box.querySelector("[role=status]"));
const PAUSE = 120;
let timer = 0, asked = new AbortController();
/** The words that the list is of. @type {string | null} */
let shown = null;
/** @type {Element | null} */
let before = null;
const links = () => [...hits.querySelectorAll("a")];

async function look() {
  clearTimeout(timer);
  asked.abort();
  asked = new AbortController();
  const words = field.value;
  try {
    const answer = await fetch(`${form.action}?part&q=${encodeURIComponent(words)}`, { signal: asked.signal });
    if (!answer.ok || answer.redirected) return;
    hits.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    status.textContent = hits.querySelector("[data-count]")?.textContent ?? "";
    shown = words;
  } catch { /* asked anew meanwhile, or offline: then Enter opens the page */ }
}
function open() {
  before = document.activeElement;
  box.showModal();
  field.select();
  look();
}
/* The first that fits; nothing found, or no answer, shows the page. */
async function follow() {
  if (shown !== field.value) await look();
  const [first] = links();
  if (first && shown === field.value) first.click(); else form.submit();
}

field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, PAUSE); });
box.addEventListener("close", () => { if (before && !before.isConnected) document.getElementById(before.id)?.focus(); });
window.addEventListener("pagehide", () => box.close());
/* Keys in the box are for it alone: the desk listens to the whole page. */
box.addEventListener("keydown", (event) => {
  event.stopPropagation();
  const all = links(), active = document.activeElement, at = all.findIndex((each) => each === active);
  if (event.key === "Enter" && active === field && !event.isComposing) {
    event.preventDefault();
    follow();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    (all[at + (event.key === "ArrowDown" ? 1 : -1)] ?? (event.key === "ArrowDown" && at >= 0 ? all[at] : field)).focus();
  } else if (event.key.length === 1 && at >= 0 && !event.ctrlKey && !event.metaKey && !event.altKey) field.focus();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
  const hasKey = event.ctrlKey || event.metaKey;
  const isAsked = event.key.toLowerCase() === "k" ? hasKey && !event.shiftKey : event.key === "/" && !hasKey && !isTyping;
  if (!isAsked || event.altKey || event.defaultPrevented || box.open) return;
  event.preventDefault();
  open();
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[aria-keyshortcuts]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});
