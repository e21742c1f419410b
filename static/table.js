// At the table: number steppers, the printed Value of a named card, a clock that counts between two looks at the server.
// Every page works without this.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-step]"))) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.of ?? ""));
    const least = field.min === "" ? -Infinity : Number(field.min);
    field.value = String(Math.max(least, Number(field.value || 0) + Number(button.dataset.step)));
    delete field.dataset.printed;
  });
}

const card = /** @type {HTMLInputElement | null} */ (document.getElementById("id_card"));
const value = /** @type {HTMLInputElement | null} */ (document.getElementById("id_value"));
const printed = document.getElementById("printed");
const list = card?.list;
if (card && value && printed && list) {
  card.addEventListener("input", () => {
    const known = [...list.options].find(each => each.value.toLowerCase() === card.value.trim().toLowerCase());
    const worth = known?.dataset.value ?? "";
    printed.hidden = worth === "";
    printed.textContent = (printed.dataset.words ?? "").replace("%n", worth).replace("%c", () => known?.value ?? "");
    if (value.value === "" || value.dataset.printed) {
      value.value = worth;
      value.dataset.printed = "1";
    }
  });
  value.addEventListener("input", () => delete value.dataset.printed);
}

/* A board that others change is not replaced under a person's fingers: it follows once nothing is half typed. */
/** @param {Element} board */
const isHalfTyped = (board) => [...board.querySelectorAll("input:not([type=hidden]), select, textarea")].some((field) =>
  field instanceof HTMLSelectElement ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected))
    : field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked
      : /** @type {HTMLInputElement} */ (field).value !== /** @type {HTMLInputElement} */ (field).defaultValue);
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail, target } = /** @type {any} */ (event);
  if (!(target instanceof HTMLElement) || target.id !== "board" || detail.xhr.status !== 200) return;
  const isHeld = isHalfTyped(target);
  if (isHeld) detail.shouldSwap = false;
  const note = target.querySelector("[data-board-behind]");
  if (note instanceof HTMLElement) note.hidden = !isHeld;
});

/* A board that nobody answers says so. */
document.addEventListener("htmx:afterRequest", (event) => {
  const { detail, target } = /** @type {any} */ (event);
  const note = target instanceof Element && target.querySelector("[data-board-cut]");
  if (note instanceof HTMLElement) note.hidden = detail.successful === true;
});

const loaded = performance.now();
for (const left of document.querySelectorAll("[data-left]")) {
  const seconds = Number(left.dataset.left);
  const tick = setInterval(() => {
    const now = Math.max(0, seconds - Math.round((performance.now() - loaded) / 1000));
    left.textContent = `${Math.floor(now / 60)}:${String(now % 60).padStart(2, "0")}`;
    if (now === 0) clearInterval(tick);
  }, 500);
}
