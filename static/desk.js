/* The desk by keyboard: table, Enter, a digit, Enter. Who sits there and what the digit means stand on the page before it
   is stored. Entries wait in a queue on this device, each with its idempotency key, and are posted in the background; what
   was not answered is sent again by a press alone, and what was refused stays in a list until somebody dealt with it.
   Without this script the same form is a plain one. Data and words come from the page (`web/desk_data.py`). */
const form = document.getElementById("entry");
const words = JSON.parse(document.getElementById("desk-words").textContent);
const [table, result, found, shelf] = [form.elements.table, form.elements.result, document.getElementById("found"), document.getElementById("shelf")];
const PATIENCE = 20_000, BOUNCE = 600, TRIES = 8;
const store = `doomdesk-desk:${data().who}:${data().event}:`;
let queue = [], halted = false, last = null, lastAt = 0, offered = false;
const mine = new Map(), served = found.innerHTML;

function data() { return JSON.parse(document.getElementById("desk-data").textContent); }
let desk = data(), byNumber = index();
function index() { return new Map(desk.tables.map((each) => [String(each.table), each])); }
const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "");
const page = (match) => desk.match.replace(/\/0\/$/, `/${match}/`);

/* The queue on this device. */
function keep(entry) {
  try { localStorage.setItem(store + entry.key, JSON.stringify(entry)); return true; } catch { return false; }
}
function drop(entry) {
  queue = queue.filter((each) => each !== entry);
  try { localStorage.removeItem(store + entry.key); } catch { /* nothing was kept */ }
}
function change(entry, values) { Object.assign(entry, values); keep(entry); }
function kept() {
  const entries = [];
  try {
    for (let at = 0; at < localStorage.length; at++) {
      const name = localStorage.key(at);
      if (name.startsWith(store)) entries.push(JSON.parse(localStorage.getItem(name)));
    }
  } catch { /* no storage: nothing was kept */ }
  return entries.sort((one, other) => one.at - other.at);
}
/* crypto.randomUUID is for https alone; a shop's own network has none. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/* What was typed. */
function scoreOf(typed) {
  if (/^[1-9]$/.test(typed)) return desk.codes[typed] ?? null;
  const told = /^(\d{1,2})(?:\s*[-–—:/,.]\s*|\s+)(\d{1,2})(?:(?:\s*[-–—:/,.]\s*|\s+)(\d{1,2}))?$/.exec(typed)
    || (offered ? null : /^(\d)(\d)(\d)?$/.exec(typed));
  return told && told.slice(1).map((each) => Number(each ?? 0));
}
/* The words for it, or null where it is no result of this table. */
function meaning(at, typed) {
  if (at.names.length > 2) {
    const places = typed.split(/[\s,;/-]+/).filter(Boolean);
    if (places.length !== at.names.length || places.some((each) => !/^\d{1,2}$/.test(each))) return null;
    const ranked = at.names.map((name, seat) => [Number(places[seat]), name]).sort((one, other) => one[0] - other[0]);
    return { score: places.join(" · "), words: ranked.map(([place, name]) => say(words.places, { place, name })).join(" · ") };
  }
  const score = scoreOf(typed);
  if (!score) return null;
  const [won, lost, drawn] = score, [first, second] = won >= lost ? at.names : [...at.names].reverse();
  return { score: (drawn ? score : score.slice(0, 2)).join("–"), words: say(won === lost ? words.draw : words.wins, { first, second }) };
}
const unread = (at, typed) => at.names.length > 2 ? say(words.unread_places, { count: at.names.length }) : say(words.unread, { typed });
const here = () => byNumber.get(table.value.trim().replace(/^0+(?=\d)/, ""));
/* What counts at a table: as the page tells, or as this page stored since. */
const standing = (at) => at.state === "done" ? { score: at.score, words: at.words } : mine.get(at.match);
const waiting = (at) => queue.find((each) => each.match === at.match && ["queued", "sending", "kept"].includes(each.state));
const nextOne = () => desk.tables.find((each) => each.state === "open" && !standing(each) && !waiting(each));

/* The line beside the fields. */
function tell(...parts) {
  found.replaceChildren(...parts.filter(Boolean).map(([tag, text, className, href]) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (className) node.className = className;
    if (href) node.href = href;
    return node;
  }));
}
function tellTable(note) {
  const at = here(), typed = result.value.trim();
  if (!at) return table.value.trim() === "" || isSlip(table.value) ? tellIdle(note) : tell(["span", say(words.none, { table: table.value.trim() }), "state wrong"]);
  const has = standing(at), queued = waiting(at), means = typed && typed !== desk.more ? meaning(at, typed) : null;
  tell(
    ["span", say(words.table, { table: at.table }), "label"],
    means ? ["b", means.words] : ["b", at.names[0]],
    means ? ["span", means.score, "score"] : at.names.length > 1 && ["span", words.against, "soft"],
    !means && at.names.length > 1 && ["b", at.names.slice(1).join(" · ")],
    has ? ["span", `${has.score} · ${has.words}`, "state done"] : queued ? ["span", `${queued.score} · ${words.kept}`, "state wait"]
      : at.reports.length ? ["span", say(words.reported, { result: at.reports.join(" / ") }), "state wait"] : null,
    note && ["span", note, "state wrong"],
  );
}
function tellIdle(note) {
  const next = nextOne();
  if (note) return tell(["span", note, "state wrong"]);
  if (last) tell(["span", last.state === "stored" ? words.stored : words.sending, "label"],
    ["b", `${say(words.table, last)} · ${last.score} · ${last.words}`],
    ["a", words.back, "", page(last.match)], next && ["span", `${words.next}: ${say(words.table, next)} (${words.take})`, "soft tiny"]);
  else if (next) tell(["span", words.next, "label"], ["b", say(words.table, next)], ["span", words.take, "soft tiny"]);
  else if (desk.tables.every(standing)) tell(["span", words.all, "state done"]);
  else found.innerHTML = served;
}

/* Keys. */
function clear() {
  table.value = result.value = "";
  offered = false;
  table.focus();
}
function isSlip(typed) { return /^\d{10,20}$/.test(typed.replace(/[\s\-‐-—.]/g, "")); }
async function scan(typed) {
  const code = typed.replace(/\D/g, "");
  const at = Number(BigInt(code) % 97n) === 1 && desk.tables.find((each) => each.match === Number(code.slice(0, -2)));
  if (at) return choose(at);
  table.value = "";
  let answer;
  try {
    answer = await (await fetch(`${desk.desk}?round=${desk.number}&slip=${code}`, { headers: { "X-Desk": "1" } })).json();
  } catch { return tellIdle(words.broken); }
  tell(["span", answer.text || words.moved, "state wrong"], answer.url && ["a", words.page, "", answer.url]);
}
function choose(at) {
  table.value = at.table;
  result.value = "";
  result.focus();
  tellTable();
}
function enterTable() {
  const typed = table.value.trim();
  if (isSlip(typed)) return scan(typed);
  if (here()) { result.focus(); return tellTable(); }
  if (typed !== "") { table.select(); return tellTable(); }
  const next = nextOne();
  if (!next || Date.now() - lastAt < BOUNCE) return;
  choose(next);
  offered = true;
}
function enterResult() {
  const at = here(), typed = result.value.trim();
  if (!at) { table.focus(); return tellTable(); }
  if (typed === "") return;
  if (typed === desk.more) return leaveFor(page(at.match));
  const means = meaning(at, typed);
  if (!means) { result.select(); return tellTable(unread(at, typed)); }
  take(at, typed, means);
}
function take(at, typed, means) {
  const has = standing(at), queued = waiting(at);
  const entry = {
    key: newKey(), at: Date.now(), round: desk.round, newest: desk.newest, table: at.table, match: at.match, result: typed,
    ...means, names: at.names, state: halted ? "kept" : "queued", text: "", url: "",
  };
  clear();
  if (has && has.score === means.score) return tellIdle(say(words.same, entry));
  if (has) return refuse(entry, say(words.other, { table: at.table, result: `${has.score}, ${has.words}`, typed: `${means.score}, ${means.words}` }));
  if (queued && queued.result === typed) return tellIdle();
  if (queued) return refuse(entry, say(words.queued_other, { table: at.table, result: queued.score, typed: means.score }));
  if (!keep(entry)) return sendPlainly(at, typed);
  queue.push(entry);
  last = entry;
  lastAt = Date.now();
  tellIdle();
  show();
  post();
}
function refuse(entry, text) {
  change(entry, { state: "refused", text, url: page(entry.match) });
  queue.push(entry);
  show();
  tellIdle();
}
/* A device that keeps nothing: the plain form. */
function sendPlainly(at, typed) {
  [table.value, result.value] = [at.table, typed];
  form.submit();
}

/* In the background, one after the other. */
const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;
function post() {
  const entry = queue.find((each) => each.state === "queued");
  if (halted || !entry || queue.some((each) => each.state === "sending")) return;
  change(entry, { state: "sending" });
  send(entry);
}
async function send(entry) {
  let answer = await ask(entry);
  for (let time = 1; answer.came === "busy"; time++) {
    await new Promise((done) => setTimeout(done, 150 * time));
    answer = time < TRIES ? await ask(entry) : { came: "unanswered" };
  }
  if (answer.came === "stored" || answer.came === "same") {
    mine.set(entry.match, { score: entry.score, words: entry.words });
    entry.state = "stored";
    drop(entry);
  } else if (answer.came === "unanswered") {
    halted = true;
    change(entry, { state: "kept" });
    queue.filter((each) => each.state === "queued").forEach((each) => change(each, { state: "kept" }));
  } else change(entry, { state: "refused", text: answer.text || words.denied, url: answer.url || page(entry.match) });
  show();
  if (table.value === "" && document.activeElement !== result) tellIdle();
  post();
  if (leaving && !pending().length) location.assign(leaving);
}
async function ask(entry) {
  const body = new URLSearchParams({
    csrfmiddlewaretoken: token(), idempotency_key: entry.key, round: entry.round, newest: entry.newest, table: entry.table, result: entry.result,
  });
  try {
    const answer = await fetch(desk.desk, { method: "POST", body, headers: { "X-Desk": "1" }, credentials: "same-origin", redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status >= 500 || answer.status === 429) return { came: "unanswered" };
    const told = answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : null;
    if (!told) return answer.status === 409 ? { came: "busy" } : { came: "refused", text: words.denied };
    const isStored = told.came === "stored" || told.came === "same";
    return isStored && answer.status !== 201 ? { came: "unanswered" } : told;
  } catch { return { came: "unanswered" }; }
}

/* Leaving waits for what is on its way. */
let leaving = "";
const pending = () => queue.filter((each) => each.state === "queued" || each.state === "sending");
function leaveFor(address) {
  if (!pending().length) return location.assign(address);
  leaving = address;
  tell(["span", say(words.wait, { count: pending().length }), "state wait"]);
}
window.addEventListener("beforeunload", (event) => { if (pending().length) event.preventDefault(); });

/* What is not stored: by its state, until it is stored or somebody dealt with it. */
function show() {
  const groups = { refused: [], kept: [], way: [] };
  for (const each of queue) (groups[each.state] ?? groups.way).push(each);
  for (const [name, entries] of Object.entries(groups)) {
    const box = shelf.querySelector(`[data-group=${name}]`);
    box.hidden = entries.length === 0;
    box.querySelector("[data-count]").textContent = entries.length;
    if (name === "way") continue;
    box.querySelector("ul").replaceChildren(...entries.map((entry) => line(entry, name)));
  }
}
function line(entry, group) {
  const item = document.createElement("li"), text = document.createElement("div"), acts = document.createElement("div");
  text.className = "ask";
  acts.className = "row";
  const name = document.createElement("b");
  name.textContent = `${say(words.table, entry)} · ${entry.score}`;
  const more = document.createElement("p");
  more.textContent = entry.text || entry.words;
  text.append(name, more);
  if (group === "refused" && entry.url) {
    const link = document.createElement("a");
    [link.href, link.textContent, link.className] = [entry.url, words.page, "button small"];
    acts.append(link);
  }
  const button = document.createElement("button");
  [button.type, button.className, button.textContent] = ["button", "small", group === "refused" ? words.dealt : words.drop];
  button.setAttribute("aria-label", `${button.textContent}: ${name.textContent}`);
  button.addEventListener("click", () => { drop(entry); show(); table.focus(); });
  acts.append(button);
  item.append(text, acts);
  return item;
}
shelf.querySelector("[data-send]").addEventListener("click", () => {
  halted = false;
  queue.filter((each) => each.state === "kept").forEach((each) => change(each, { state: "queued" }));
  show();
  post();
  table.focus();
});

/* Ctrl+Z: what was not sent is taken back here; what is stored is corrected on its page, with a reason. */
function takeBack() {
  const unsent = [...queue].reverse().find((each) => each.state === "queued" || each.state === "kept");
  if (unsent) { drop(unsent); if (last === unsent) last = null; show(); return tellIdle(say(words.taken_back, unsent)); }
  if (last) return leaveFor(page(last.match));
  const stored = found.querySelector("a[data-last]");
  if (stored) return leaveFor(stored.href);
  tellIdle(words.nothing);
}

/* "/" finds a name among all tables as it is typed. */
const search = document.getElementById("q");
function filter() {
  const asked = search.value.trim().toLocaleLowerCase();
  for (const row of document.querySelectorAll("#desk-tables tbody tr")) row.hidden = !row.textContent.toLocaleLowerCase().includes(asked);
}
search.addEventListener("input", filter);
search.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = search.value.trim().toLocaleLowerCase();
  const hits = asked ? desk.tables.filter((each) => each.names.some((name) => name.toLocaleLowerCase().includes(asked))) : [];
  if (hits.length !== 1) return;
  search.value = "";
  filter();
  choose(hits[0]);
});

form.addEventListener("submit", (event) => event.preventDefault());
form.querySelector("button[type=submit]").addEventListener("click", (event) => { event.preventDefault(); result.value.trim() || !here() ? enterResult() : result.focus(); });
for (const [field, enter] of [[table, enterTable], [result, enterResult]]) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) enter();
  });
  field.addEventListener("input", () => { if (field === table) offered = false; tellTable(); });
}
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (event.key === "Escape" && (!typing || typing === table || typing === result || typing === search)) {
    search.value = "";
    filter();
    clear();
    tellIdle();
  } else if (event.key === "/" && (!typing || (typing === table && table.value === ""))) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && (!typing || typing.value === "")) {
    event.preventDefault();
    takeBack();
  }
});
/* A link in the list of missing tables takes its table without a new page. */
document.getElementById("desk-tables").parentElement.addEventListener("click", (event) => {
  const at = byNumber.get(event.target.closest?.("a[data-table]")?.dataset.table);
  if (!at || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(at);
});

/* The page follows the event: fresh tables; another round needs a fresh desk. */
document.addEventListener("doomdesk:swapped", () => {
  const fresh = data();
  if (search.value) filter();
  if (fresh.round !== desk.round || fresh.newest !== desk.newest) {
    if (!queue.length && !table.value && !result.value) return location.reload();
    return tell(["span", words.moved, "state wrong"], ["a", words.reload, "", desk.desk]);
  }
  desk = fresh;
  byNumber = index();
  for (const each of desk.tables) if (each.state === "done") mine.delete(each.match);
  if (table.value || result.value) tellTable();
});

queue = kept();
for (const entry of queue) if (entry.state === "queued" || entry.state === "sending") change(entry, { state: "kept" });
halted = queue.some((each) => each.state === "kept");
shelf.hidden = document.querySelector(".by-script").hidden = false;
form.dataset.ready = "";
show();
if (table.value && here()) tellTable();
(table.value && here() ? result : table).focus();
window.doomdesk = Object.assign(window.doomdesk ?? {}, { desk: { pending: () => queue.length } });
