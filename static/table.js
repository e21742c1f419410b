// At the table: number steppers, the printed Value of a named card, a clock that counts between two looks at the server.
// Every page works without this.
document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target.closest("[data-step]") : null;
  const button = /** @type {HTMLElement | null} */ (target);
  const field = button?.parentElement?.querySelector("input");
  if (!button || !field) return;
  const least = field.min === "" ? -Infinity : Number(field.min);
  field.value = String(Math.max(least, Number(field.value || 0) + Number(button.dataset.step)));
  delete field.dataset.filled;
});

/* What is printed on a card that is named fills the field for it, until a person types another number there. */
document.addEventListener("input", (event) => {
  const typed = event.target;
  if (!(typed instanceof HTMLInputElement)) return;
  delete typed.dataset.filled;
  const value = /** @type {HTMLInputElement | null | undefined} */ (typed.form?.querySelector("[data-printed]"));
  const note = typed.form?.querySelector("[data-printed-note]");
  if (!typed.list || !value || !(note instanceof HTMLElement)) return;
  const known = [...typed.list.options].find(each => each.value.toLowerCase() === typed.value.trim().toLowerCase());
  const printed = known?.dataset.printed ?? "";
  note.hidden = printed === "";
  note.textContent = `${known?.value}: ${known?.label}`;
  if (value.value === "" || value.dataset.filled) {
    value.value = printed;
    value.dataset.filled = "1";
  }
});

/* A board that others change is not replaced under a person's fingers: it follows once nothing is half typed. */
/** @param {Element} board */
const isHalfTyped = (board) => [...board.querySelectorAll("input:not([type=hidden]), select, textarea")].some((field) =>
  field instanceof HTMLSelectElement ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected))
    : field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked
      : /** @type {HTMLInputElement} */ (field).value !== /** @type {HTMLInputElement} */ (field).defaultValue);
/** @type {string[]} */
let opened = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail, target } = /** @type {any} */ (event);
  if (!(target instanceof HTMLElement) || target.id !== "board" || detail.xhr.status !== 200) return;
  const isHeld = isHalfTyped(target) || target.querySelector(".move .errors") !== null;
  if (isHeld) detail.shouldSwap = false;
  else opened = [...target.querySelectorAll("details[open][id]")].map((each) => each.id);
  const note = target.querySelector("[data-board-behind]");
  if (note instanceof HTMLElement) note.hidden = !isHeld;
});

/* What a person has unfolded stays so on the board that follows. */
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened.splice(0)) document.getElementById(id)?.setAttribute("open", "");
});

/* A board that nobody answers says so. */
document.addEventListener("htmx:afterRequest", (event) => {
  const { detail, target } = /** @type {any} */ (event);
  const note = target instanceof Element && target.querySelector("[data-board-cut]");
  if (note instanceof HTMLElement) note.hidden = detail.successful === true;
});

/* A clock counts between two looks at the server, from when it was drawn. */
/** @type {WeakMap<Element, number>} */
const drawn = new WeakMap();
setInterval(() => {
  for (const left of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-left]"))) {
    const since = drawn.get(left) ?? performance.now();
    drawn.set(left, since);
    const now = Math.max(0, Number(left.dataset.left) - Math.round((performance.now() - since) / 1000));
    left.textContent = `${Math.floor(now / 60)}:${String(now % 60).padStart(2, "0")}`;
  }
}, 500);
