/* Keeps an open page of an event true: on the word "changed" the same address is asked again, and every element with
   data-live and an id is replaced where it differs. Without a stream the page asks by itself. Every page says how old it is. */
const desk = (window.doomdesk ??= {});
const root = document.getElementById("live");
const ages = [...document.querySelectorAll("[data-age]")];
const OLD = 30_000, SAFETY = 75_000, READ = 3_000;
/** @param {number} least @param {number} most */
const between = (least, most) => least + Math.random() * (most - least);
let etag = root?.dataset.etag || "", heard = Date.now(), streaming = false, wasOpen = false;
/* Seconds after which the server wants to be asked again: it answered with a page that is not the newest, or not at all. */
let later = 0;
/* Milliseconds over which the pages that follow this event spread their questions; `owes`: told of a change and not asked. */
let spread = 0, asked = 0, owes = false;
/* The same over which all pages that follow now would spread them: a page that polls does so the less the more there are. */
let crowd = 0;
let asking = false, again = false, failing = false, isGone = false, isBehind = false, timer = 0, due = Infinity;

/** @type {EventSource | null} */
let stream = null;

/** @param {ParentNode} page */
const pieces = (page) => [...page.querySelectorAll("[data-live][id]")];
/** @param {string} html */
const secretless = (html) => html.replace(/(name="(?:csrfmiddlewaretoken|idempotency_key)" value=")[^"]*/g, "$1")
  .replace(/data-clock-left[^>]*>[^<]*|data-clock-says[^>]*>[^]*?data-clock-tell/g, "");
const served = new Map(pieces(document).map((each) => [each.id, secretless(each.outerHTML)]));

/* What a person is typing stays; what was folded open, scrolled or focused stays so. A field that merely has the focus is
   not typed in: it is replaced and keeps the focus, unless its list is open. What stays as it is (data-stays) holds up nothing. */
const canTellOpen = CSS.supports("selector(:open)");
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** @param {Field} field */
const isPicked = (field) => field === document.activeElement && field.matches("select") && (!canTellOpen || field.matches(":open"));
/** @param {Field} field */
const isFilled = (field) => field instanceof HTMLSelectElement
  ? [...field.options].some((option) => option.selected !== option.defaultSelected && field.selectedIndex > 0)
  : field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
/** @param {HTMLElement} piece */
function isBeingTyped(piece) {
  const fields = /** @type {NodeListOf<Field>} */ (piece.querySelectorAll("input:not([type=hidden]), textarea, select"));
  return [...fields].some((each) => !each.closest("[data-stays]") && (isPicked(each) || isFilled(each)));
}

/* A part that is typed in stays behind the event, and so does the age of the page until it is no longer. */
function stayBehind() {
  etag = "";
  isBehind = true;
}
for (const name of ["input", "change", "focusout", "reset"]) document.addEventListener(name, () => {
  if (isBehind) setTimeout(() => { if (!isBeingTyped(document.body)) plan(between(100, 500), true); });
});

/** @param {Element} piece @param {Element} inner */
function wayTo(piece, inner) {
  const way = [];
  for (let each = inner, above = each.parentElement; above && each !== piece; each = above, above = each.parentElement) way.unshift([...above.children].indexOf(each));
  return way;
}

/** @param {Element} piece @param {{ id: string, way: number[] }} place */
function find(piece, { id, way }) {
  const named = id && document.getElementById(id);
  return named && piece.contains(named) ? named : way.reduce((each, place) => each?.children[place], /** @type {Element | undefined} */ (piece));
}

/** @param {HTMLElement} piece */
function remember(piece) {
  /** @param {Element} each */
  const at = (each) => ({ id: each.id, way: wayTo(piece, each) });
  const active = piece.contains(document.activeElement) ? /** @type {HTMLInputElement} */ (document.activeElement) : null;
  return {
    focus: active && { ...at(active), tag: active.tagName, caret: active.selectionStart ?? null, end: active.selectionEnd },
    folds: [...piece.querySelectorAll("details")].map((each) => ({ ...at(each), open: each.open })),
    scrolled: [piece, ...piece.querySelectorAll("*")].filter((each) => each.scrollTop || each.scrollLeft)
      .map((each) => ({ ...at(each), top: each.scrollTop, left: each.scrollLeft })),
  };
}

/** @param {HTMLElement} piece @param {ReturnType<typeof remember>} kept */
function restore(piece, kept) {
  for (const each of kept.folds) {
    const fold = find(piece, each);
    if (fold instanceof HTMLDetailsElement) fold.open = each.open;
  }
  for (const each of kept.scrolled) {
    const scrolled = find(piece, each);
    if (scrolled) [scrolled.scrollTop, scrolled.scrollLeft] = [each.top, each.left];
  }
  const focus = kept.focus && /** @type {HTMLInputElement | undefined} */ (find(piece, kept.focus));
  if (!kept.focus || !focus || focus === document.activeElement || focus.tagName !== kept.focus.tag) return;
  focus.focus({ preventScroll: true });
  if (kept.focus.caret !== null && focus.selectionStart !== null) focus.setSelectionRange?.(kept.focus.caret, kept.focus.end);
}

/* Where a piece of the content came or went it is built otherwise, and all of it is replaced; pieces around it always stand. An answer to a form that only polls
   stays: what it says to a person stands at no address. */
/** @param {Document} page */
function isRebuilt(page) {
  const [before, after] = [document, page].map((each) => new Set(pieces(each.getElementById("main") ?? each).map((piece) => piece.id)));
  const gone = [...before].some((id) => !after.has(id)), came = [...after].some((id) => !before.has(id));
  return gone || (came && root?.dataset.answers !== "form");
}

/* Scripts bind to what stays (data-stays), so it is moved into the new page as it is; where it has no place there, its
   script may ask to wait. A page that needs other files than this one is loaded. */
/** @param {Document} page */
function swapAll(page) {
  const main = document.getElementById("main"), fresh = page.getElementById("main");
  if (!main || !fresh) return true;
  const staying = [...main.querySelectorAll("[data-stays][id]")].map((each) => ({ each, place: page.getElementById(each.id) }));
  if (isBeingTyped(main)) return false;
  if (staying.some(({ place }) => !place) && !document.dispatchEvent(new CustomEvent("doomdesk:leaving", { cancelable: true }))) return false;
  if (root?.dataset.answers !== "form" && needsFiles(page)) { location.reload(); return true; }
  const kept = remember(main);
  document.adoptNode(fresh);
  for (const { each, place } of staying) place?.replaceWith(each);
  main.className = fresh.className;
  main.replaceChildren(...fresh.childNodes);
  restore(main, kept);
  window.htmx?.process(main);
  document.title = page.title;
  for (const each of pieces(document)) served.set(each.id, secretless(each.outerHTML));
  tellSwapped([main]);
  return true;
}

/** @param {Document} page */
const filesOf = (page) => [...page.querySelectorAll("script[src], link[rel=stylesheet]")].map((each) => each.getAttribute("src") ?? each.getAttribute("href"));
/** @param {Document} page */
function needsFiles(page) {
  const here = new Set(filesOf(document));
  return filesOf(page).some((each) => !here.has(each));
}

/* A piece that stands in another one goes with it, or is replaced by itself where a part of a page is told. */
/** @param {Document} page @param {boolean} isPart */
function swap(page, isPart) {
  isBehind = false;
  if (!isPart && isRebuilt(page) && !swapAll(page)) stayBehind();
  const swapped = [];
  for (const fresh of pieces(page)) {
    const piece = document.getElementById(fresh.id), html = secretless(fresh.outerHTML);
    if (fresh.ownerDocument === document) served.set(fresh.id, html);
    if (!piece || served.get(fresh.id) === html) continue;
    if (isBeingTyped(piece)) { stayBehind(); continue; }
    const kept = remember(piece), newest = document.adoptNode(fresh);
    piece.replaceWith(newest);
    restore(newest, kept);
    window.htmx?.process(newest);
    served.set(newest.id, html);
    swapped.push(newest);
  }
  if (swapped.length) tellSwapped(swapped);
}

/* A note says what was true when the page came: it goes with the first change after it, once it could be read. */
/** @param {HTMLElement[]} swapped */
function tellSwapped(swapped) {
  document.dispatchEvent(new CustomEvent("doomdesk:swapped", { detail: { pieces: swapped } }));
  if (!swapped.some((each) => each.closest("#main"))) return;
  const notes = document.querySelectorAll(".notices .notice:is(.done, .open)");
  setTimeout(() => notes.forEach((each) => each.remove()), Math.max(0, READ - performance.now()));
}

/* The age: the last moment for which the server said that what is shown is true. */
/** @param {number} at in ms; 0: nothing new was said */
function tellAge(at) {
  const times = ages.flatMap((age) => [...age.querySelectorAll("time")]);
  for (const time of at ? times : []) {
    const zone = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime);
    const offset = zone ? (zone[1] === "-" ? -1 : 1) * (+zone[2] * 60 + +zone[3]) * 60_000 : 0;
    const local = new Date(at + offset).toISOString();
    time.dateTime = local.slice(0, 19) + (zone?.[0] || "Z");
    time.textContent = local.slice(11, 19);
  }
  if (at) heard = Date.now();
  const isOld = Date.now() - heard > OLD;
  let hasTurned = false;
  for (const old of ages.flatMap((age) => [.../** @type {NodeListOf<HTMLElement>} */ (age.querySelectorAll("[data-old]"))])) {
    const words = isOld ? old.dataset.old ?? "" : "";
    if (old.textContent === words) continue;
    old.textContent = words;
    for (const look of ["state", "wait"]) old.classList.toggle(look, isOld);
    hasTurned = true;
  }
  if (hasTurned) document.dispatchEvent(new CustomEvent("doomdesk:age", { detail: { old: isOld } }));
}

/* What answered a form may stand at an address that nobody can open: it is asked only where it polls, and else grows old. */
const follows = () => !isGone && (root?.dataset.answers !== "form" || polls());

async function ask() {
  if (!follows()) return;
  if (asking) { again = true; return; }
  asking = true;
  again = owes = false;
  asked = Date.now();
  try {
    const headers = { "X-Live": "1", ...(etag ? { "If-None-Match": etag } : {}) };
    const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(12_000) });
    later = (Number(answer.headers.get("Retry-After")) || 0) * 1_000;
    const isSame = answer.status === 304;
    isGone = [403, 404, 410].includes(answer.status);
    if (!isSame && !answer.ok) throw new Error(`answered ${answer.status}`);
    const html = isSame ? "" : await answer.text();
    etag = answer.headers.get("ETag") || (isSame ? etag : "");
    if (!isSame) swap(new DOMParser().parseFromString(html, "text/html"), answer.headers.has("X-Part"));
    failing = false;
    owes ||= later > 0;
    tellAge(isBehind || later ? 0 : Date.parse(answer.headers.get("Date") || "") || Date.now());
    document.dispatchEvent(new CustomEvent("doomdesk:heard"));
  } catch {
    failing = owes = true;
    tellAge(0);
  }
  asking = false;
  plan(later ? between(later + spread / 2, later + Math.max(later, spread * 1.5)) : again ? between(200 + spread / 2, 600 + spread) : pause());
}

const awaits = () => document.querySelector("[data-soon]") !== null; // a person at this table waits for an answer
/* A page that announces by sound is followed while it is behind others too. */
const isAway = () => document.hidden && !desk.announces?.();
const pause = () => failing ? between(4_000, 9_000) : awaits() ? between(2_500, 4_000)
  : streaming && !polls() ? between(SAFETY, SAFETY * 1.5) : between(10_000 + crowd, 15_000 + crowd * 1.5);
const polls = () => document.querySelector('[data-live="polls"]') !== null;

/* At most one question is planned: the earliest asked for. */
/** @param {number} wait in ms */
function plan(wait, isSooner = false) {
  const at = Date.now() + wait;
  if (isSooner && due <= at) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(() => { due = Infinity; if (!isAway()) ask(); }, wait);
}

function listen() {
  if (stream || isAway() || !root?.dataset.stream || !window.EventSource) return;
  stream = new EventSource(root.dataset.stream);
  stream.addEventListener("open", () => { streaming = true; plan(between(0, wasOpen ? 3000 : 1000), true); wasOpen = true; });
  stream.addEventListener("changed", ({ data }) => {
    spread = JSON.parse(data).spread || 0;
    document.dispatchEvent(new CustomEvent("doomdesk:change"));
    owes = true;
    if (asking) again = true;
    else if (due > Date.now() + spread) plan(Math.max(between(0, spread), asked + spread - Date.now()), true);
  });
  stream.addEventListener("beat", ({ data }) => {
    const beat = JSON.parse(data);
    crowd = beat.spread || 0;
    if (follows() && !failing && !asking && !isBehind && !owes) tellAge(beat.at);
  });
  stream.addEventListener("error", () => {
    const isOver = stream?.readyState === EventSource.CLOSED;
    if (streaming || isOver) plan(between(1_000, 4_000), true);
    streaming = false;
    if (isOver) { stop(); setTimeout(listen, between(40_000, 80_000)); }
  });
}

function stop() {
  stream?.close();
  stream = null;
  streaming = false;
}

document.addEventListener("visibilitychange", () => {
  if (isAway()) return stop();
  if (document.hidden) return;
  tellAge(0);
  ask();
  listen();
});
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) { etag = ""; ask(); listen(); } });
window.addEventListener("pagehide", stop);
window.addEventListener("online", () => { ask(); listen(); });
desk.live = { refresh: ask };
/* Where the bar's links scroll sideways, and the rail's downwards, the one of this page is in sight. */
for (const holder of document.querySelectorAll(".places, .rail > div")) {
  const [link, box] = [holder.querySelector("[aria-current]")?.getBoundingClientRect(), holder.getBoundingClientRect()];
  if (link) holder.scrollLeft += link.left - box.left - 48;
  if (link && link.bottom > box.bottom - 48) holder.scrollTop += link.bottom - box.bottom + 48;
}

if (root) {
  setInterval(() => tellAge(0), 1_000);
  listen();
  plan(between(10_000, 15_000));
}
