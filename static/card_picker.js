// Turns each <textarea data-pile> into a type-ahead with a list of cards. The text stays the truth: one card a line,
// "3 Kidney" for three. Without this file, or before the cards have come, the text area works by itself.
"use strict";

const APOSTROPHES_AND_DOTS = /['`´‘’‚‛ʹʻʼʽ′＇.]/g;
const MAX_OFFERS = 8;
const MAX_COPIES = 30;

/** @typedef {{ name: string, key: string, colors: string[], face: number | null, dominant: boolean }} Card */
/** A card as the server tells it. @typedef {[name: string, colors: string[], face: number | null, dominant: boolean]} CardRow */
/** @typedef {Map<string, Card>} Cards */
/** @typedef {Record<string, string>} Words */

/** @param {string} text */
const keyOf = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").replace(APOSTROPHES_AND_DOTS, "").toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} fields attributes; `text` is the content, false leaves one out
 * @param {...Node} children
 */
const make = (tag, fields = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name === "text") element.textContent = String(value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
};

/** @param {string} words @param {Record<string, string | number>} values */
const fill = (words, values) => words.replace(/%\((\w+)\)s/g, (_all, name) => String(values[name]));

/** @param {CardRow[]} cards @returns {[string, Card][]} */
const byKey = (cards) => cards.map(([name, colors, face, dominant]) => [keyOf(name), { name, key: keyOf(name), colors, face, dominant }]);

/** The cards by key, fetched once an address: the browser keeps them for good. @type {Map<string, Promise<Cards>>} */
const catalogues = new Map();
/** @param {string} address */
const catalogueAt = (address) => {
  const asked = catalogues.get(address) ?? fetch(address).then((answer) => answer.json()).then(({ cards }) => new Map(byKey(cards)));
  catalogues.set(address, asked);
  return asked;
};

/** What was clicked. @param {Event} event */
const elementOf = (event) => /** @type {Element} */ (event.target);

class Pile {
  /** @param {HTMLTextAreaElement} area @param {Cards} cards @param {Words} words */
  constructor(area, cards, words) {
    this.area = area;
    this.cards = cards;
    this.words = words;
    this.chosen = -1;
    /** @type {Card[]} */
    this.offers = [];
    /** @type {Map<string, number>} */
    this.copies = new Map();
    const id = this.area.id;
    this.input = make("input", {
      id: `${id}_add`, type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": `${id}_offers`,
      "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
      enterkeyhint: "done", placeholder: this.words.placeholder, maxlength: 120,
      "aria-describedby": this.area.getAttribute("aria-describedby") || false,
    });
    this.list = make("ul", { id: `${id}_offers`, class: "pile-offers", role: "listbox", "aria-label": this.words.offers, hidden: true });
    this.said = make("p", { class: "hidden-visually", role: "status" });
    this.shown = make("div", { class: "pile-cards" });
    this.build();
    this.read();
    this.show();
  }

  build() {
    const label = this.area.labels[0];
    if (label) label.htmlFor = this.input.id;
    this.area.hidden = true;
    this.area.after(make("div", { class: "pile" }, this.input, this.list, this.said, this.shown));
    this.input.addEventListener("input", () => this.type());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!/[\r\n;,]/.test(text)) return;
      event.preventDefault();
      this.enter(this.input.value + text);
    });
    this.input.addEventListener("blur", () => setTimeout(() => this.hide(), 150));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = elementOf(event).closest("[role=option]");
      if (option) this.take(this.offers[Number(option.dataset.index)]);
    });
    this.shown.addEventListener("click", (event) => this.change(elementOf(event).closest("button")));
    this.area.form?.addEventListener("submit", () => this.finish());
    addEventListener("pageshow", () => { this.read(); this.show(); });
    if (this.area.autofocus && !location.hash) this.input.focus();
  }

  /** From the text to names with their numbers of copies, in the order they came; unknown lines stay as they are. */
  read() {
    this.copies = new Map();
    for (const line of this.area.value.split(/[\r\n;,]+/).map((each) => each.trim()).filter(Boolean)) {
      const { card, copies, bare } = this.parse(line);
      const name = card ? card.name : bare;
      this.copies.set(name, (this.copies.get(name) || 0) + copies);
    }
  }

  /** @param {string} text */
  parse(text) {
    const whole = this.cards.get(keyOf(text));
    if (whole) return { card: whole, copies: 1, bare: text };
    const before = /^\+?\s*(\d{1,3})\s*[x×*]?\s+(.+)$/u.exec(text), behind = /^(.+?)\s*[x×*]\s*(\d{1,3})$/u.exec(text);
    const bare = before ? before[2] : behind ? behind[1] : text;
    const copies = Math.max(1, Math.min(Number(before ? before[1] : behind ? behind[2] : 1), MAX_COPIES));
    return { card: this.cards.get(keyOf(bare)), copies, bare };
  }

  write() {
    this.area.value = [...this.copies].map(([name, copies]) => (copies > 1 ? `${copies} ${name}` : name)).join("\n");
    this.area.dispatchEvent(new Event("change", { bubbles: true }));
    this.show();
  }

  // Typing

  type() {
    const text = this.input.value;
    if (/[,;]\s*$/.test(text)) return this.enter(text.replace(/[,;]\s*$/, ""));
    const { card, copies, bare } = this.parse(text.trimStart());
    const key = keyOf(bare);
    if (card && !this.begins(key, card)) return this.add(card.name, copies);
    if (key && !this.find(key).length && this.split(text)) return undefined;
    this.offer(key);
    return undefined;
  }

  /** @param {string} key @param {Card} card */
  begins(key, card) {
    return [...this.cards.keys()].some((other) => other !== card.key && other.startsWith(key));
  }

  /** "KidneyT": a name that is whole, with the beginning of the next one behind it. @param {string} text */
  split(text) {
    for (let end = text.length - 1; end > 2; end -= 1) {
      const { card, copies } = this.parse(text.slice(0, end).trim());
      const rest = text.slice(end).trimStart();
      if (card && this.find(keyOf(rest)).length) {
        this.add(card.name, copies);
        this.input.value = rest;
        this.offer(keyOf(rest));
        return true;
      }
    }
    return false;
  }

  /** @param {string} key */
  find(key) {
    if (!key) return [];
    /** @param {Card} card */
    const rank = (card) => (card.key === key ? 0 : card.key.startsWith(key) ? 1 : card.key.includes(` ${key}`) ? 2 : card.key.includes(key) ? 3 : 9);
    return [...this.cards.values()].map((card) => ({ place: rank(card), card })).filter(({ place }) => place < 9)
      .sort((one, other) => one.place - other.place || one.card.name.localeCompare(other.card.name))
      .slice(0, MAX_OFFERS).map(({ card }) => card);
  }

  /** @param {string} key */
  offer(key) {
    this.offers = this.find(key);
    this.chosen = -1;
    this.list.replaceChildren(...this.offers.map((card, index) => make("li", {
      role: "option", id: `${this.area.id}_offer_${index}`, "data-index": index, "aria-selected": "false", class: `card ${this.tone(card)}`,
    }, ...this.told(card))));
    this.list.hidden = !this.offers.length;
    this.input.setAttribute("aria-expanded", String(Boolean(this.offers.length)));
    this.input.removeAttribute("aria-activedescendant");
  }

  hide() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter(this.input.value);
    } else if (event.key === "Escape") {
      this.hide();
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && this.offers.length) {
      event.preventDefault();
      this.list.hidden = false;
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.chosen = (this.chosen + step + this.offers.length + (this.chosen < 0 && step < 0 ? 1 : 0)) % this.offers.length;
      [...this.list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === this.chosen)));
      this.input.setAttribute("aria-activedescendant", `${this.area.id}_offer_${this.chosen}`);
      this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    }
  }

  /** Enter or a comma: what is chosen, what is called so, or what is offered first; else the words as they are. @param {string} text */
  enter(text) {
    for (const typed of text.split(/[\r\n;,]+/).map((each) => each.trim()).filter(Boolean)) {
      const { card, copies, bare } = this.parse(typed);
      const meant = this.offers[this.chosen] || card || this.find(keyOf(bare))[0];
      this.add(meant ? meant.name : bare, copies);
    }
  }

  /** @param {Card} card */
  take(card) {
    this.add(card.name, this.parse(this.input.value).copies);
    this.input.focus();
  }

  /** @param {string} name @param {number} copies */
  add(name, copies) {
    const now = (this.copies.get(name) || 0) + copies;
    this.copies.set(name, now);
    this.input.value = "";
    this.offer("");
    this.write();
    this.said.textContent = fill(this.words.added, { name, copies: now });
  }

  /** Before the form is sent: what still stands in the line comes along. */
  finish() {
    if (this.input.value.trim()) this.enter(this.input.value);
  }

  /** @param {HTMLButtonElement | null} button */
  change(button) {
    if (!button) return;
    const { name = "", step } = button.dataset;
    const left = (this.copies.get(name) || 0) + Number(step);
    if (left > 0) this.copies.set(name, Math.min(left, MAX_COPIES)); else this.copies.delete(name);
    this.write();
    this.said.textContent = fill(left > 0 ? this.words.added : this.words.removed, { name, copies: left });
    const same = [...this.shown.querySelectorAll("button")].find((each) => each.dataset.name === name && each.dataset.step === step);
    (same || this.input).focus();
  }

  // Showing

  /** @param {Card} card */
  tone(card) {
    return card.colors.length > 1 ? "many" : card.colors[0] || "colorless";
  }

  /** @param {Card} card */
  told(card) {
    /** @type {HTMLElement[]} */
    const marks = [make("span", { class: "grow", text: card.name })];
    if (card.dominant) marks.push(make("small", { class: "dominant", text: `★ ${this.words.dominant}` }));
    marks.push(make("small", { text: card.colors.map((color) => this.words[color]).join(", ") || this.words.colorless }));
    marks.push(make("b", { class: "score", text: card.face === null ? "–" : String(card.face) }));
    return marks;
  }

  /** @param {string} name @param {number} copies */
  row(name, copies) {
    const card = this.cards.get(keyOf(name));
    /** @param {1 | -1} step @param {string} sign @param {string} words */
    const button = (step, sign, words) => make("button", {
      type: "button", class: "quiet", "data-name": name, "data-step": step, "aria-label": fill(words, { name }), text: sign,
    });
    const marks = card ? this.told(card) : [make("span", { class: "grow", text: name }), make("small", { text: this.words.unknown })];
    if (copies > 1) marks[0].prepend(make("b", { text: `${copies} × ` }));
    return make("li", { class: `card ${card ? this.tone(card) : "unknown"}` }, ...marks, button(1, "+", this.words.more), button(-1, "−", this.words.remove));
  }

  show() {
    /** @type {Map<string, [name: string, copies: number][]>} */
    const groups = new Map();
    let faces = 0, count = 0, dominants = 0;
    for (const [name, copies] of this.copies) {
      const card = this.cards.get(keyOf(name));
      const tone = card ? this.tone(card) : "unknown";
      groups.set(tone, [...groups.get(tone) ?? [], [name, copies]]);
      count += copies;
      if (card) {
        faces += copies * (card.face || 0);
        dominants += card.dominant ? copies : 0;
      }
    }
    const order = ["blue", "green", "purple", "red", "many", "colorless", "unknown"];
    const parts = order.filter((tone) => groups.has(tone)).map((tone) => {
      const rows = groups.get(tone) ?? [];
      const number = rows.reduce((sum, [, copies]) => sum + copies, 0);
      return make("section", {},
        make("h3", { text: `${this.words[`of_${tone}`]} · ${number}` }),
        make("ul", { class: "plain-list" }, ...rows.map(([name, copies]) => this.row(name, copies))));
    });
    const sum = fill(this.words.sum, { count, faces, dominants });
    this.shown.replaceChildren(...(count ? [make("p", { class: "pile-sum", text: sum })] : []), ...parts);
  }
}

/** @param {ParentNode} root */
const enhance = (root) => {
  const areas = /** @type {NodeListOf<HTMLTextAreaElement>} */ (root.querySelectorAll("textarea[data-pile][data-cards]:not([data-ready])"));
  for (const area of areas) {
    area.setAttribute("data-ready", "");
    const words = JSON.parse(document.getElementById("pile-words")?.textContent ?? "");
    catalogueAt(area.dataset.cards ?? "").then((cards) => new Pile(area, new Map([...cards, ...byKey(JSON.parse(area.dataset.own || "[]"))]), words)).catch(() => area.removeAttribute("data-ready"));
  }
};

/**
 * While the cards' questions are on their way people write on: what they wrote since is never replaced by an answer.
 * @param {HTMLElement} root
 */
const written = (root) => {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input, select, textarea"));
  return JSON.stringify([...fields].map(({ value, checked }) => [value, checked]));
};
/** @param {HTMLElement} root */
const isTyping = (root) => root.contains(document.activeElement) && document.activeElement?.matches("[type=text], [type=number]");
const askAgain = () => document.getElementById("part")?.dispatchEvent(new Event("change"));
let before = "";

document.addEventListener("htmx:beforeRequest", ({ target }) => { if (target.id === "asked") before = written(target); });
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target } = detail;
  if (target.id !== "asked" || !detail.shouldSwap) return;
  if (isTyping(target)) target.addEventListener("focusout", askAgain, { once: true });
  else if (written(target) === before) return;
  else askAgain();
  detail.shouldSwap = false;
});

enhance(document);
document.addEventListener("htmx:afterSwap", (event) => enhance(event.target));
