/* Keeps an open page of an event true: on the word "changed" the same address is asked again, and every element with
   data-live and an id is replaced where it differs. Without a stream the page asks by itself. Every page says how old it is. */
const desk = window.doomdesk = window.doomdesk || {};
const root = document.getElementById("live");
const age = document.querySelector("[data-age]");
const OLD = 30_000, SAFETY = 75_000;
const between = (least, most) => least + Math.random() * (most - least);
let etag = root?.dataset.etag || "", heard = Date.now(), stream = null, streaming = false, wasOpen = false;
let asking = false, again = false, failing = false, isGone = false, timer = 0, due = Infinity;

const pieces = (page) => [...page.querySelectorAll("[data-live][id]")];
const secretless = (html) => html.replace(/(name="(?:csrfmiddlewaretoken|idempotency_key)" value=")[^"]*/g, "$1")
  .replace(/data-clock-left[^>]*>[^<]*|data-clock-says[^>]*>[^]*?data-clock-tell/g, "");
const served = new Map(pieces(document).map((each) => [each.id, secretless(each.outerHTML)]));

/* What somebody is typing stays; what was folded open, scrolled or focused stays so. */
function isBeingTyped(piece) {
  const fields = [...piece.querySelectorAll("input:not([type=hidden]), textarea, select")];
  return fields.some((each) => each === document.activeElement || (each.type === "checkbox" || each.type === "radio"
    ? each.checked !== each.defaultChecked
    : each.matches("select") ? [...each.options].some((option) => option.selected !== option.defaultSelected && each.selectedIndex > 0)
      : each.value !== each.defaultValue));
}

function wayTo(piece, inner) {
  const way = [];
  for (let each = inner; each && each !== piece; each = each.parentElement) way.unshift([...each.parentElement.children].indexOf(each));
  return way;
}

function find(piece, { id, way }) {
  const named = id && document.getElementById(id);
  return named && piece.contains(named) ? named : way.reduce((each, place) => each?.children[place], piece);
}

function remember(piece) {
  const at = (each) => ({ id: each.id, way: wayTo(piece, each) });
  const active = piece.contains(document.activeElement) ? document.activeElement : null;
  return {
    focus: active && { ...at(active), tag: active.tagName },
    folds: [...piece.querySelectorAll("details")].map((each) => ({ ...at(each), open: each.open })),
    scrolled: [piece, ...piece.querySelectorAll("*")].filter((each) => each.scrollTop || each.scrollLeft)
      .map((each) => ({ ...at(each), top: each.scrollTop, left: each.scrollLeft })),
  };
}

function restore(piece, kept) {
  for (const each of kept.folds) {
    const fold = find(piece, each);
    if (fold?.tagName === "DETAILS") fold.open = each.open;
  }
  for (const each of kept.scrolled) {
    const scrolled = find(piece, each);
    if (scrolled) [scrolled.scrollTop, scrolled.scrollLeft] = [each.top, each.left];
  }
  const focus = kept.focus && find(piece, kept.focus);
  if (focus?.tagName === kept.focus?.tag) focus?.focus({ preventScroll: true });
}

/* Where a piece came or went the page is built otherwise: then all of it is replaced, unless forms stand in it that may
   hold what was answered to somebody. */
function isRebuilt(page) {
  const before = new Set(pieces(document).map((each) => each.id)), after = new Set(pieces(page).map((each) => each.id));
  const gone = [...before].some((id) => !after.has(id)), came = [...after].some((id) => !before.has(id));
  return gone || (came && !document.querySelector("#main form[method=post]"));
}

function swapAll(page) {
  const main = document.getElementById("main"), fresh = page.getElementById("main");
  if (!main || !fresh) return;
  if (isBeingTyped(main)) { etag = ""; return; }
  const kept = remember(main);
  main.className = fresh.className;
  main.replaceChildren(...document.adoptNode(fresh).childNodes);
  restore(main, kept);
  window.htmx?.process(main);
  document.title = page.title;
  for (const each of pieces(document)) served.set(each.id, secretless(each.outerHTML));
  document.dispatchEvent(new CustomEvent("doomdesk:swapped", { detail: { pieces: [main] } }));
}

function swap(page) {
  if (isRebuilt(page)) return swapAll(page);
  const swapped = [];
  for (const fresh of pieces(page)) {
    const piece = document.getElementById(fresh.id), html = secretless(fresh.outerHTML);
    if (!piece || served.get(fresh.id) === html) continue;
    if (isBeingTyped(piece)) { etag = ""; continue; }
    const kept = remember(piece), newest = document.adoptNode(fresh);
    piece.replaceWith(newest);
    restore(newest, kept);
    window.htmx?.process(newest);
    served.set(newest.id, html);
    swapped.push(newest);
  }
  if (swapped.length) document.dispatchEvent(new CustomEvent("doomdesk:swapped", { detail: { pieces: swapped } }));
}

/* The age: the last moment for which the server said that what is shown is true. */
function tellAge(at) {
  const time = age?.querySelector("time");
  if (time && at) {
    const zone = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime);
    const offset = zone ? (zone[1] === "-" ? -1 : 1) * (zone[2] * 60 + +zone[3]) * 60_000 : 0;
    const local = new Date(at + offset).toISOString();
    time.dateTime = local.slice(0, 19) + (zone?.[0] || "Z");
    time.textContent = local.slice(11, 19);
  }
  if (at) heard = Date.now();
  const old = age?.querySelector("[data-old]"), isOld = Date.now() - heard > OLD;
  if (old && old.textContent !== (isOld ? old.dataset.old : "")) {
    old.textContent = isOld ? old.dataset.old : "";
    for (const look of ["state", "wait"]) old.classList.toggle(look, isOld);
    document.dispatchEvent(new CustomEvent("doomdesk:age", { detail: { old: isOld } }));
  }
}

/* What answered a form may stand at an address that nobody can open: it is asked only where it polls, and else grows old. */
const follows = () => !isGone && (root?.dataset.answers !== "form" || polls());

async function ask() {
  if (!follows()) return;
  if (asking) { again = true; return; }
  asking = true;
  again = false;
  try {
    const headers = { "X-Live": "1", ...(etag ? { "If-None-Match": etag } : {}) };
    const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(12_000) });
    const isSame = answer.status === 304;
    isGone = [403, 404, 410].includes(answer.status);
    if (!isSame && !answer.ok) throw new Error(`answered ${answer.status}`);
    const html = isSame ? "" : await answer.text();
    if (!isSame) {
      etag = answer.headers.get("ETag") || "";
      swap(new DOMParser().parseFromString(html, "text/html"));
    }
    failing = false;
    tellAge(Date.parse(answer.headers.get("Date") || "") || Date.now());
  } catch {
    failing = true;
    tellAge(0);
  }
  asking = false;
  plan(again ? between(200, 600) : pause());
}

const pause = () => failing ? between(4_000, 9_000)
  : streaming && !polls() ? between(SAFETY, SAFETY * 1.5) : between(10_000, 15_000);
const polls = () => document.querySelector('[data-live="polls"]') !== null;

/* At most one question is planned: the earliest asked for. */
function plan(wait, isSooner = false) {
  const at = Date.now() + wait;
  if (isSooner && due <= at) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(() => { due = Infinity; if (!document.hidden) ask(); }, wait);
}

function listen() {
  if (stream || document.hidden || !root?.dataset.stream || !window.EventSource) return;
  stream = new EventSource(root.dataset.stream);
  stream.addEventListener("open", () => { streaming = true; plan(between(0, wasOpen ? 3000 : 1000), true); wasOpen = true; });
  stream.addEventListener("changed", ({ data }) => {
    const { spread } = JSON.parse(data);
    document.dispatchEvent(new CustomEvent("doomdesk:change"));
    if (asking) again = true;
    else plan(between(0, spread || 0), true);
  });
  stream.addEventListener("beat", ({ data }) => { if (follows() && !failing && !asking && due - Date.now() > 4_000) tellAge(JSON.parse(data).at); });
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
  if (document.hidden) return stop();
  tellAge(0);
  ask();
  listen();
});
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) { etag = ""; ask(); listen(); } });
window.addEventListener("pagehide", stop);
window.addEventListener("online", () => { ask(); listen(); });
desk.live = { refresh: ask };
/* Where the bar's links scroll sideways, the one of this page is in sight. */
const place = document.querySelector(".places [aria-current]");
if (place) place.parentElement.scrollLeft += place.getBoundingClientRect().left - place.parentElement.getBoundingClientRect().left - 48;

if (root) {
  setInterval(() => tellAge(0), 1_000);
  listen();
  plan(between(10_000, 15_000));
}
