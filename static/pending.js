// Entries that are not stored yet stay on this phone: kept with their idempotency key before they are sent,
// shown as not stored with their value and time, forgotten once an answer came. They are sent again by a button; by itself
// only while the page that wrote one is open and its match is as it was seen (the same match, reports and phase): the key
// is the same, so it cannot count twice. A page that was loaded since asks.
//
// A form takes part by `data-unsent="what it is"` and an `idempotency_key` field; `shared/pending.html` stands on its page.
// For scripts: doomdesk.unsent.{read, keep, drop, send, entryOf}. `send(entry)` answers {state, address, html, reason}:
// "stored" (go to `address`), "shown" (200: the server shows the form again, `html`), "refused" and "unanswered" (kept).
// Every page works without this: the forms are plain ones. The promise: docs/how-it-works/trust.md#r7.
const PREFIX = "doomdesk-unsent:";
const PATIENCE = 15000;

const shelf = document.getElementById("unsent");
/** By key: the match as it was when this page wrote the entry, and the form. @type {Map<string, { state: string, form: HTMLFormElement }>} */
const written = new Map();
const seen = () => document.getElementById("match-seen")?.dataset.seen;
const who = shelf?.dataset.who ?? "";
const zone = shelf?.dataset.zone || undefined; // the event's, as in every other time of its pages

/** @returns {Unsent[]} */
function read() {
  /** @type {Unsent[]} */
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index++) {
      const name = localStorage.key(index);
      if (name?.startsWith(PREFIX)) found.push(JSON.parse(localStorage.getItem(name) ?? "null"));
    }
  } catch { return []; }
  return found.filter(entry => entry.who === who).sort((one, other) => one.at - other.at);
}

/** @param {Unsent} entry */
function keep(entry) {
  try {
    localStorage.setItem(PREFIX + entry.key, JSON.stringify(entry));
    return true;
  } catch { return false; }
}

/** @param {string} key */
function drop(key) {
  try { localStorage.removeItem(PREFIX + key); } catch { /* nothing was kept */ }
}

/** @param {Node | null | undefined} node */
const textOf = node => node?.textContent?.trim() ?? "";

/** What a person chose or typed, in the words of the form's own labels. @param {HTMLFormElement} form */
function valueOf(form) {
  const told = [];
  for (const field of /** @type {Iterable<HTMLInputElement | HTMLSelectElement>} */ (form.elements)) {
    if (!field.name || field.type === "hidden" || !field.checkVisibility?.()) continue;
    const label = [...(field.labels ?? [])].map(each => [...each.childNodes].map(textOf).filter(Boolean).join(" ")).join(" ");
    if (field instanceof HTMLSelectElement) told.push(`${label}: ${textOf(field.selectedOptions[0])}`);
    else if (field.type === "radio" || field.type === "checkbox") { if (field.checked) told.push(label); }
    else if (field.tagName !== "BUTTON" && field.value !== "") told.push(`${label}: ${field.value}`);
  }
  return told.join(" · ");
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} [button] @returns {Unsent | undefined} */
function entryOf(form, button) {
  const sent = [...new FormData(form, button)].filter(([, value]) => typeof value === "string");
  const fields = /** @type {[string, string][]} */ (sent);
  const key = fields.find(([name]) => name === "idempotency_key")?.[1];
  if (!key) return undefined;
  return {
    key, who, fields, at: Date.now(), words: form.dataset.unsent ?? "", value: form.dataset.unsentValue || valueOf(form),
    address: form.getAttribute("action") ? form.action : location.href.split("#")[0], page: location.href.split("#")[0],
    replaces: form.dataset.unsentReplaces ?? "",
  };
}

// The token of the page that is open now: an entry may be older than the session.
function freshToken() {
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=csrfmiddlewaretoken]"));
  return field?.value;
}

/** @param {Unsent} entry */
function bodyOf(entry) {
  const token = freshToken();
  return new URLSearchParams(entry.fields.map(([name, value]) =>
    [name, name === "csrfmiddlewaretoken" && token ? token : value]));
}

/** @param {Unsent} entry @returns {Promise<UnsentAnswer>} */
async function send(entry) {
  if (!keep({ ...entry, why: "" })) return { state: "unkept" };
  let answer, html;
  try {
    answer = await fetch(entry.address, {
      method: "POST", body: bodyOf(entry), redirect: "manual", credentials: "same-origin",
      headers: { "X-Unsent": "1" }, signal: AbortSignal.timeout(PATIENCE),
    });
    html = await answer.text();
    if (answer.status === 503) return { state: "unanswered" }; // nothing was begun, or all of it was taken back
  } catch {
    return { state: "unanswered" };
  }
  const address = answer.headers.get("X-Location");
  if (address !== null) {
    drop(entry.key);
    drop(entry.replaces);
    return { state: "stored", address };
  }
  if (answer.status === 200 && answer.headers.has("X-Asked")) return { state: "shown", html, asked: true };
  if (answer.status === 200 && answer.headers.has("X-Shown")) {
    drop(entry.key);
    return { state: "shown", html };
  }
  const reason = reasonIn(html);
  if (reason && answer.status < 500) keep({ ...entry, why: reason });
  return { state: "refused", status: answer.status, reason };
}

/** @param {string} html */
function reasonIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return [...page.querySelectorAll("main h1, main p:not(.tiny)")].map(textOf).join(" ").slice(0, 400);
}

// Show what the server answered in place of the page's own content; scripts that bind to it listen to the event.
/** @param {string} html */
function showAnswer(html) {
  const told = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  const main = document.adoptNode(/** @type {HTMLElement} */ (told));
  if (shelf) main.querySelector("#unsent")?.replaceWith(shelf);
  document.querySelector("main")?.replaceWith(main);
  document.getElementById("live")?.setAttribute("data-answers", "form");
  window.htmx?.process(main);
  document.dispatchEvent(new CustomEvent("doomdesk:replaced"));
  const first = /** @type {HTMLElement} */ (document.querySelector("main [role=alert], main"));
  first.tabIndex = -1;
  first.focus();
}

const sending = new Set();

/** @param {Unsent} entry */
async function submit(entry, { isUnasked = false } = {}) {
  if (sending.has(entry.key)) return;
  sending.add(entry.key);
  show();
  const answer = await send(entry);
  sending.delete(entry.key);
  if (answer.state !== "unanswered" && answer.state !== "stored") written.delete(entry.key);
  if (answer.state === "stored") return isUnasked ? tellSent(entry) : location.assign(answer.address);
  show();
  if (isUnasked) return;
  if (answer.state === "shown") showAnswer(answer.html);
  else shelf?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", event => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!shelf || !form.matches("form[data-unsent]") || event.defaultPrevented) return;
  const entry = entryOf(form, event.submitter);
  if (!entry || !keep({ ...entry, why: "" })) return;
  event.preventDefault();
  const state = seen(), button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (state) written.set(entry.key, { state, form });
  if (button) button.disabled = true;
  form.setAttribute("aria-busy", "true");
  submit(entry).finally(() => {
    form.removeAttribute("aria-busy");
    if (button) button.disabled = false;
  });
});

// The server is heard again: what this page wrote is sent if nothing happened at its match meanwhile.
function sendUnasked() {
  for (const entry of read()) {
    const { state } = written.get(entry.key) ?? {};
    if (state && !entry.why && state === seen()) submit(entry, { isUnasked: true });
  }
}
document.addEventListener("doomdesk:heard", sendUnasked);

/** It says when; the form is free again, so that the page shows what came of it. @param {Unsent} entry */
function tellSent(entry) {
  show();
  const { box } = boxOf("sent", entry, timeOf(new Date()));
  shelf?.append(box);
  if (shelf) shelf.hidden = false;
  const form = written.get(entry.key)?.form;
  written.delete(entry.key);
  form?.reset();
  window.doomdesk?.live?.refresh();
}

// The list of what is not stored, above the page's content.
function show() {
  if (!shelf) return;
  const asked = [...document.querySelectorAll("[data-unsent-replaces]")].map(each => each.dataset.unsentReplaces);
  const entries = read().filter(entry => !asked.includes(entry.key));
  const pressed = document.activeElement?.closest("[data-entry]")?.dataset.entry;
  shelf.querySelectorAll("[data-entry]").forEach(each => each.remove());
  shelf.append(...entries.map(shown));
  shelf.hidden = entries.length === 0 && !shelf.querySelector("article");
  if (entries.length) document.querySelectorAll(".notices .notice:is(.done, .open), #unsent > article:not([data-entry])").forEach(each => each.remove());
  if (pressed) shelf.querySelector(`[data-entry="${CSS.escape(pressed)}"]`)?.focus();
}

/** @param {Date} at @param {Intl.DateTimeFormatOptions} more */
const timeOf = (at, more = {}) => at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone, ...more });
/** @param {Date} at */
const dayOf = at => at.toLocaleDateString(document.documentElement.lang, { timeZone: zone });

/** A copy of one of the shelf's templates, filled in. @param {"kept" | "sending" | "sent"} kind @param {Unsent} entry @param {string} time */
function boxOf(kind, entry, time) {
  const { content } = /** @type {HTMLTemplateElement} */ (shelf?.querySelector(`template[data-${kind}]`));
  const box = /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
  /** @param {string} selector */
  const part = selector => /** @type {HTMLElement} */ (box.querySelector(selector));
  part("time").textContent = time;
  part("[data-words]").textContent = entry.words;
  part("[data-value]").textContent = entry.value;
  return { box, part };
}

/** @param {Unsent} entry */
function shown(entry) {
  const isSent = sending.has(entry.key), at = new Date(entry.at);
  const { box, part } = boxOf(isSent ? "sending" : "kept", entry, timeOf(at, { second: "2-digit" })
    + (dayOf(at) === dayOf(new Date()) ? "" : ` (${dayOf(at)})`));
  box.dataset.entry = entry.key;
  box.tabIndex = -1;
  part("time").setAttribute("datetime", at.toISOString());
  if (isSent) return box;
  part("[data-why]").textContent = entry.why ?? "";
  part("[data-why]").hidden = !entry.why;
  part("[data-send]").addEventListener("click", () => submit(entry));
  const discard = part("[data-drop]");
  discard.addEventListener("click", () => {
    if (!discard.dataset.sure) return;
    drop(entry.key);
    show();
  });
  discard.addEventListener("click", () => {
    discard.textContent = discard.dataset.ask ?? "";
    discard.dataset.sure = "1";
  });
  return box;
}

window.doomdesk = Object.assign(window.doomdesk ?? {}, { unsent: { read, keep, drop, send, entryOf, show } });
window.addEventListener("storage", show);
show();
