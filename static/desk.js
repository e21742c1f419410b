/* The desk by keyboard: table, Enter, a digit, Enter; or Enter alone for the next missing table. Who sits there and what
   the digit means stand on the page before it is stored. However fast a person types, every key does at once what it does
   to a slow hand: after Enter the next keys are a result, after a result they are a table, and what cannot be stored goes to
   the list below instead of staying in the field, where the next key would change its sense. Entries wait in a queue on this device, each with its idempotency key, and are posted in the background; what
   was not answered is sent again by a button only, and what was refused stays in a list until a person dealt with it.
   Without this script the same form is a plain one. Data and words come from the page (`web/desk_data.py`). */
/** @typedef {{ table: number, match: number, names: string[], places?: boolean, scores?: boolean, state: string, score: string, words: string, reports: string[] }} Table */
/** @typedef {{ games: number, needed: number, exactly: boolean, wins_only: boolean }} Length */
/** @typedef {{ who: string, event: string, round: number, newest: number, number: number, desk: string, match: string, tables: Table[], next: string, codes: Record<string, number[]>, length: Length, more: string }} Desk */
/** What was typed, read: `why` where it is no result of its table. @typedef {{ score: string, words: string, why?: string }} Meaning */
/** A table, or what stands for one that is not known. @typedef {{ table: number | string, match: number, names?: string[] }} Place */
/** @typedef {Place & { key: string, at: number, round: number, newest: number, result: string, state: string, text: string, url: string, score: string, words: string, unsent?: boolean }} Entry */
/** An element of the line beside the fields. @typedef {[tag: "span" | "b" | "a", text: string, className?: string, href?: string]} Part */

/** What stands on every desk. @param {string} id */
const must = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {ParentNode} node @param {string} selector */
const within = (node, selector) => /** @type {HTMLElement} */ (node.querySelector(selector));
const form = /** @type {HTMLFormElement} */ (must("entry"));
/** @param {string} name */
const fieldOf = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
/** @type {Record<string, string>} */
const words = JSON.parse(must("desk-words").textContent ?? "");
const [table, result, found, shelf] = [fieldOf("table"), fieldOf("result"), must("found"), must("shelf")];
const PATIENCE = 20_000, TRIES = 8, SEEN = 700, QUIET = 3_000;
const store = `doomdesk-desk:${data().who}:${data().event}:`;
/** @type {Entry[]} */
let queue = [];
/** @type {Entry | null} */
let last = null;
/** @type {Table | null | undefined} */
let offer = null;
/** @type {{ at: Table, until: number } | null} */
let before = null;
let halted = false, offered = false, pressedAt = 0;
/** By match. @type {Map<number, Meaning>} */
const mine = new Map();
const servedLast = /** @type {HTMLAnchorElement | null} */ (found.querySelector("a[data-last]"))?.href;

/** @returns {Desk} */
function data() { return JSON.parse(must("desk-data").textContent ?? ""); }
let desk = data(), byNumber = index();
function index() { return new Map(desk.tables.map((each) => [String(each.table), each])); }
/** @param {string} sentence @param {Record<string, unknown>} values */
const say = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_all, name) => String(values[name] ?? ""));
/** @param {number} match */
const page = (match) => desk.match.replace(/\/0\/$/, `/${match}/`);

/* The queue on this device. */
/** @param {Entry} entry */
function keep(entry) {
  try { localStorage.setItem(store + entry.key, JSON.stringify(entry)); return true; } catch { return false; }
}
/** @param {Entry} entry */
function drop(entry) {
  queue = queue.filter((each) => each !== entry);
  try { localStorage.removeItem(store + entry.key); } catch { /* nothing was kept */ }
}
/** @param {Entry} entry @param {Partial<Entry>} values */
function change(entry, values) { Object.assign(entry, values); keep(entry); }
function kept() {
  /** @type {Entry[]} */
  const entries = [];
  try {
    for (let at = 0; at < localStorage.length; at++) {
      const name = localStorage.key(at);
      if (name?.startsWith(store)) entries.push(JSON.parse(localStorage.getItem(name) ?? "null"));
    }
  } catch { /* no storage: nothing was kept */ }
  return entries.sort((one, other) => one.at - other.at);
}
/* crypto.randomUUID is for https alone; a shop's own network has none. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/* What was typed. */
/** @param {string} typed */
function scoreOf(typed) {
  if (/^[1-9]$/.test(typed)) return desk.codes[typed] ?? null;
  const told = /^(\d{1,2})(?:\s*[-–—:/,.]\s*|\s+)(\d{1,2})(?:(?:\s*[-–—:/,.]\s*|\s+)(\d{1,2}))?$/.exec(typed)
    || (offered ? null : /^(\d)(\d)(\d)?$/.exec(typed));
  return told && told.slice(1).map((each) => Number(each ?? 0));
}
/** @param {string} why @returns {Meaning} */
const no = (why) => ({ why, score: "", words: "" });
/** The words for it, or `why` it is no result of this table. @param {Table} at @param {string} typed @returns {Meaning} */
function meaning(at, typed) {
  if (at.places ?? at.names.length > 2) return ofSeveral(at, typed);
  const score = scoreOf(typed);
  return score ? ofTwo(at, score) : no(say(words.unread, { typed }));
}
/** @param {Table} at @param {number[]} score @returns {Meaning} */
function ofTwo(at, score) {
  const why = impossible(score);
  if (why) return no(why);
  const [won, lost, drawn] = score, [first, second] = won >= lost ? at.names : [...at.names].reverse();
  return { score: (drawn ? score : score.slice(0, 2)).join("–"), words: say(won === lost ? words.draw : words.wins, { first, second }) };
}
/**
 * Places or scores in seat order, read as tournaments/results/forms/table_text.py does: "=" before scores, "!" behind none.
 * @param {Table} at @param {string} typed @returns {Meaning}
 */
function ofSeveral(at, typed) {
  const count = at.names.length, isMarked = typed.startsWith("="), bare = typed.replace(/^[\s=!]+|[\s=!]+$/g, "");
  const numbers = bare.split(/(?<=\d)[-–—:/](?=\d)|[\s,;]+/).filter(Boolean);
  const isGames = count === 2 && ((numbers.length === 1 && bare.length < 3) || numbers.every((each) => each === "0" || each === "1"));
  const games = !isMarked && isGames ? scoreOf(bare) : null;
  const places = (numbers.length === 1 ? [...bare] : numbers).map(Number);
  const arePlaces = !isMarked && places.length === count && places.every((each) => each >= 1 && each <= count);
  if (!games && !arePlaces) return ofScores(at, numbers, at.scores || isMarked);
  if (at.scores && !typed.endsWith("!")) return no(say(words.scores_missing, { typed: bare }));
  if (games) return ofTwo(at, games);
  return isRanking(places) ? ranked(at, places) : no(words.gap);
}
/** @param {number[]} places */
const isRanking = (places) => places.every((each) => each === 1 + places.filter((other) => other < each).length);
/** @param {Table} at @param {string[]} numbers @param {boolean} [mayBe] */
function ofScores(at, numbers, mayBe) {
  const count = at.names.length;
  if (!mayBe || numbers.length !== count || !numbers.every((each) => /^-?\d{1,5}(\.\d)?$/.test(each))) {
    return no(say(mayBe ? words.unread_scores : words.unread_places, { count }));
  }
  return ranked(at, numbers.map((each) => 1 + numbers.filter((other) => +other > +each).length), numbers);
}
/** @param {Table} at @param {number[]} places @param {string[]} [scores] @returns {Meaning} */
function ranked(at, places, scores) {
  const lines = at.names.map((name, seat) => ({ place: places[seat], line: say(words.places, { place: places[seat], name: scores ? `${name} (${scores[seat]})` : name }) }));
  return { score: places.join(" · "), words: lines.sort((one, other) => one.place - other.place).map(({ line }) => line).join(" · ") };
}
/** Why no match of this round ends so (scoring/standings/results.py says the same of what is sent). @param {number[]} score */
function impossible([won, lost, drawn]) {
  const { games, needed, exactly } = desk.length;
  if (Math.max(won, lost) > needed) return say(words.too_many, { needed });
  if (!exactly && Math.min(won, lost) === needed) return say(words.both, { needed });
  if (exactly && won + lost + drawn > games) return say(words.exactly, { games });
  if (drawn > games) return say(words.too_drawn, { games });
  if (!won && !lost && !drawn) return words.unplayed;
  return desk.length.wins_only && won === lost ? words.undecided : "";
}
const here = () => byNumber.get(table.value.trim().replace(/^0+(?=\d)/, ""));
/** What counts at a table: as the page tells, or as this page stored since. @param {Table} at */
const standing = (at) => at.state === "done" ? { score: at.score, words: at.words } : mine.get(at.match);
/** @param {Table} at */
const waiting = (at) => queue.find((each) => each.match === at.match && ["queued", "sending", "kept"].includes(each.state));
/** @param {Table} at */
const needsYou = (at) => queue.some((each) => each.match === at.match && each.state === "refused");
const nextOne = () => desk.tables.find((each) => each.state === "open" && !standing(each) && !waiting(each) && !needsYou(each));
/* What Enter takes is what the page offered when the hand set out, even where a result came from elsewhere since. */
const taken = () => before && Date.now() < before.until ? before.at : nextOne();

/** The line beside the fields. @param {...(Part | false | "" | null | undefined)} parts */
function tell(...parts) {
  const nodes = parts.filter((part) => !!part).map(([tag, text, className, href]) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (className) node.className = className;
    if (href) node.setAttribute("href", href);
    return node;
  });
  if (nodes.map((each) => each.outerHTML).join("") !== found.innerHTML) found.replaceChildren(...nodes);
}
function tellTable() {
  const at = here(), typed = result.value.trim();
  if (!at) return table.value.trim() === "" || isSlip(table.value) ? tellIdle() : tell(["span", say(words.none, { table: table.value.trim() }), "state wrong"]);
  const has = standing(at), queued = waiting(at), means = typed && typed !== desk.more ? meaning(at, typed) : null;
  /** @type {Part[]} */
  const who = means && !means.why ? [["b", means.words], ["span", means.score, "score"]]
    : at.names.length > 2 ? [["b", at.names.map((name, seat) => `${seat + 1}. ${name}`).join(" · ")]]
      : at.names.length > 1 ? [["b", at.names[0]], ["span", words.against, "soft"], ["b", at.names[1]]] : [["b", at.names[0]]];
  tell(
    ["span", say(words.table, { table: at.table }), "label"],
    ...who,
    has ? ["span", `${has.score} · ${has.words}`, "state done"] : queued ? ["span", `${queued.score} · ${words.kept}`, "state wait"]
      : at.reports.length ? ["span", say(words.reported, { result: at.reports.join(" / ") }), "state wait"] : null,
    means?.why && ["span", means.why, "state wrong"],
  );
}
/** @param {string | null} [note] */
function tellIdle(note) {
  const next = nextOne(), isOver = desk.tables.every(standing);
  [offer, before] = [next, null];
  tell(
    note && ["span", note, "state wrong"],
    !note && last && ["span", last.state === "stored" ? words.stored : words.sending, "label"],
    !note && last && ["b", `${say(words.table, last)} · ${last.score} · ${last.words}`],
    !note && last && !isOver && ["a", words.back, "", page(last.match)],
    isOver && ["span", words.all, "state done"],
    isOver && ["a", words.see_next, "", desk.next],
    next && ["span", `${words.next}: ${say(words.table, next)} (${words.take})`, last || note ? "soft tiny" : ""],
    !next && !isOver && ["span", words.none_open, "soft"],
  );
}

/* Keys. */
function clear() {
  table.value = result.value = "";
  offered = false;
  table.focus();
}
/** @param {string} typed */
function isSlip(typed) { return /^\d{10,20}$/.test(typed.replace(/[\s\-‐-—.]/g, "")); }
/** @param {string} typed */
async function scan(typed) {
  const code = typed.replace(/\D/g, "");
  const at = Number(BigInt(code) % 97n) === 1 && desk.tables.find((each) => each.match === Number(code.slice(0, -2)));
  if (at) return choose(at);
  table.value = "";
  /** @type {{ text?: string, url?: string }} */
  let answer;
  try {
    answer = await (await fetch(`${desk.desk}?round=${desk.number}&slip=${code}`, { headers: { "X-Desk": "1" } })).json();
  } catch { answer = { text: words.broken }; }
  if (isIdle()) tell(["span", answer.text || words.moved, "state wrong"], answer.url && ["a", words.page, "", answer.url]);
}
/** @param {Table} at */
function choose(at) {
  table.value = String(at.table);
  result.value = "";
  result.focus();
  tellTable();
}
/* After Enter a result is typed, also where no table is known for it: then it waits in the list below. */
function enterTable() {
  const typed = table.value.trim();
  if (isSlip(typed)) return scan(typed);
  if (typed !== "") { result.focus(); return tellTable(); }
  const next = taken();
  if (!next) return result.focus();
  choose(next);
  offered = true;
}
function enterResult() {
  const at = here(), typed = result.value.trim();
  if (typed === "") return table.value.trim() === "" ? enterTable() : undefined;
  if (!at) return setAside({ table: table.value.trim() || "–", match: 0 }, typed, table.value.trim() ? say(words.none, { table: table.value.trim() }) : words.no_table);
  if (typed === desk.more) return leaveFor(page(at.match));
  const means = meaning(at, typed);
  const other = means.why && offered && typed.length > 1 && byNumber.get(typed);
  if (other) return choose(other);
  if (means.why) return setAside(at, typed, means.why);
  take(at, typed, means);
}
/**
 * What was typed and cannot be a result: nothing is sent. It leaves the fields, and with a result of its table the list.
 * @param {Place} at @param {string} typed @param {string} why
 */
function setAside(at, typed, why) {
  clear();
  refuse({ ...entryOf(at, typed), score: typed, words: "", unsent: true }, why);
}
/** @param {Place} at @param {string} typed */
const entryOf = (at, typed) => ({
  key: newKey(), at: Date.now(), round: desk.round, newest: desk.newest, table: at.table, match: at.match, result: typed,
  names: at.names, state: halted ? "kept" : "queued", text: "", url: "",
});
/** @param {Table} at @param {string} typed @param {Meaning} means */
function take(at, typed, means) {
  const has = standing(at), queued = waiting(at);
  const entry = { ...entryOf(at, typed), ...means };
  clear();
  queue.filter((each) => each.unsent && each.match === at.match).forEach(drop);
  const isAlike = has?.score === means.score; // of a table of several only the ranking: the server compares its scores
  if (isAlike && !(at.places ?? at.names.length > 2)) return tellIdle(say(words.same, entry));
  if (has && !isAlike) return refuse(entry, say(words.other, { table: at.table, result: `${has.score}, ${has.words}`, typed: `${means.score}, ${means.words}` }));
  if (queued && queued.result === typed) return tellIdle();
  if (queued) return refuse(entry, say(words.queued_other, { table: at.table, result: queued.score, typed: means.score }));
  if (!keep(entry)) return sendPlainly(at, typed);
  queue.push(entry);
  last = entry;
  tellIdle();
  show();
  post();
}
/** @param {Entry} entry @param {string} text */
function refuse(entry, text) {
  change(entry, { state: "refused", text, url: entry.match ? page(entry.match) : "" });
  queue.push(entry);
  show();
  tellIdle(`${say(words.table, entry)}: ${text}`);
}
/** A device that keeps nothing: the plain form. @param {Table} at @param {string} typed */
function sendPlainly(at, typed) {
  [table.value, result.value] = [String(at.table), typed];
  form.submit();
}

/* In the background, one after the other. */
const token = () => /** @type {HTMLInputElement} */ (document.querySelector("input[name=csrfmiddlewaretoken]")).value;
function post() {
  const entry = queue.find((each) => each.state === "queued");
  if (halted || !entry || queue.some((each) => each.state === "sending")) return;
  change(entry, { state: "sending" });
  send(entry);
}
/** @param {Entry} entry */
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
  if (isIdle()) tellIdle();
  post();
  if (leaving && !pending().length) location.assign(leaving);
}
/** @param {Entry} entry @returns {Promise<{ came: string, text?: string, url?: string }>} */
async function ask(entry) {
  const body = new URLSearchParams({
    csrfmiddlewaretoken: token(), idempotency_key: entry.key, round: String(entry.round), newest: String(entry.newest),
    table: String(entry.table), result: entry.result,
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
const isIdle = () => table.value === "" && result.value === "";
const pending = () => queue.filter((each) => each.state === "queued" || each.state === "sending");
/** @param {string} address */
function leaveFor(address) {
  if (!pending().length) return location.assign(address);
  leaving = address;
  tell(["span", say(words.wait, { count: pending().length }), "state wait"]);
}
window.addEventListener("beforeunload", (event) => { if (pending().length) event.preventDefault(); });

/* What is not stored: by its state, until it is stored or a person dealt with it. */
function show() {
  /** @type {Record<string, Entry[]>} */
  const groups = { refused: [], kept: [], way: [] };
  for (const each of queue) (groups[each.state] ?? groups.way).push(each);
  for (const [name, entries] of Object.entries(groups)) {
    const box = within(shelf, `[data-group=${name}]`);
    box.hidden = entries.length === 0;
    within(box, "[data-count]").textContent = String(entries.length);
    if (name === "way") continue;
    within(box, "ul").replaceChildren(...entries.map((entry) => line(entry, name)));
  }
}
/** @param {Entry} entry @param {string} group */
function line(entry, group) {
  const item = document.createElement("li"), text = document.createElement("div"), acts = document.createElement("div");
  text.className = "ask";
  acts.className = "row";
  const name = document.createElement("b");
  // of a table of several as it was typed: its score is the ranking alone, without the scores
  name.textContent = `${say(words.table, entry)} · ${(entry.names?.length ?? 0) > 2 ? entry.result : entry.score}`;
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
  button.addEventListener("click", () => { drop(entry); show(); goOn(); });
  acts.append(button);
  item.append(text, acts);
  return item;
}
within(shelf, "[data-send]").addEventListener("click", () => {
  halted = false;
  queue.filter((each) => each.state === "kept").forEach((each) => change(each, { state: "queued" }));
  show();
  post();
  goOn();
});
/* Back to the field that was being typed in. */
function goOn() { (isIdle() ? table : result).focus(); }

/* Ctrl+Z: what was not sent is taken back here; what is stored is corrected on its page, with a reason. */
function takeBack() {
  const unsent = [...queue].reverse().find((each) => each.state === "queued" || each.state === "kept");
  if (unsent) { drop(unsent); if (last === unsent) last = null; show(); return tellIdle(say(words.taken_back, unsent)); }
  if (last) return leaveFor(page(last.match));
  if (servedLast) return leaveFor(servedLast);
  tellIdle(words.nothing);
}

/* "/" finds a name among all tables as it is typed. */
const search = /** @type {HTMLInputElement} */ (must("q"));
function filter() {
  const asked = search.value.trim().toLocaleLowerCase();
  for (const row of document.querySelectorAll("#desk-tables li")) row.hidden = !row.textContent?.toLocaleLowerCase().includes(asked);
}
search.addEventListener("input", filter);
search.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = search.value.trim().toLocaleLowerCase();
  const hits = asked ? desk.tables.filter((each) => each.names.some((name) => name.toLocaleLowerCase().includes(asked))) : [];
  if (hits.length !== 1) return;
  search.value = "";
  filter();
  choose(hits[0]);
});

form.addEventListener("submit", (event) => event.preventDefault());
within(form, "button[type=submit]").addEventListener("click", (event) => { event.preventDefault(); result.value.trim() || !here() ? enterResult() : result.focus(); });
const fields = /** @type {const} */ ([[table, enterTable], [result, enterResult]]);
for (const [field, enter] of fields) {
  field.addEventListener("keydown", (event) => {
    pressedAt = Date.now();
    if (event.isComposing || (event.key !== "Enter" && !(event.repeat && event.key.length === 1))) return;
    event.preventDefault(); // a key that is held down is pressed once
    if (!event.repeat) enter();
  });
  field.addEventListener("input", () => { if (field === table) offered = false; tellTable(); });
}
/** A result typed beside the fields goes into them. @param {KeyboardEvent} event */
function comeBack(event) {
  if (event.repeat || !/^(\d|Enter)$/.test(event.key)) return;
  goOn();
  if (event.key !== "Enter") return;
  event.preventDefault();
  document.activeElement === table ? enterTable() : enterResult();
}
/** @param {Event} event */
const targetOf = (event) => event.target instanceof Element ? event.target : null;
document.addEventListener("keydown", (event) => {
  if (event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey) comeBack(event);
  const typing = /** @type {HTMLInputElement | null | undefined} */ (targetOf(event)?.closest("input, textarea, select"));
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
must("desk-tables").parentElement?.addEventListener("click", (event) => {
  const at = byNumber.get(targetOf(event)?.closest("a[data-table]")?.dataset.table ?? "");
  if (!at || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(at);
});

/* The page follows the event: fresh tables; another round needs a fresh desk, but none is loaded under a key. */
function follow() {
  const fresh = document.getElementById("desk-data") && data(), shown = offer;
  if (!fresh || fresh.round !== desk.round || fresh.newest !== desk.newest) return moveOn();
  if (search.value) filter();
  desk = fresh;
  byNumber = index();
  for (const each of desk.tables) if (each.state === "done") mine.delete(each.match);
  if (!isIdle()) return tellTable();
  tellIdle(found.querySelector(".state.wrong")?.textContent);
  if (shown && shown.table !== offer?.table) before = { at: byNumber.get(String(shown.table)) ?? shown, until: Date.now() + SEEN };
}
let moving = 0;
function moveOn() {
  clearTimeout(moving);
  if (!queue.length && isIdle()) { if (Date.now() - pressedAt > QUIET) return location.reload(); }
  else tell(["span", words.moved, "state wrong"], ["a", words.reload, "", desk.desk]);
  moving = setTimeout(moveOn, QUIET);
}
document.addEventListener("click", () => { pressedAt = Date.now(); }, true); // a page that a person is on the way to comes first
document.addEventListener("doomdesk:swapped", follow);
document.addEventListener("doomdesk:leaving", (event) => { event.preventDefault(); moveOn(); });

queue = kept();
for (const entry of queue) if (entry.state === "queued" || entry.state === "sending") change(entry, { state: "kept" });
halted = queue.some((each) => each.state === "kept");
shelf.hidden = within(document, ".by-script").hidden = false;
form.dataset.ready = "";
show();
if (table.value && here()) tellTable();
offer = nextOne();
goOn();
window.doomdesk = Object.assign(window.doomdesk ?? {}, { desk: { pending: () => queue.length } });
