// The order of a player's deck: rows are dragged by their handle, moved by arrow keys, or go to the place typed beside them.
// Without this file the places typed say where the cards go once they are saved.
const list = /** @type {HTMLOListElement | null} */ (document.querySelector(".stack-cards"));
const status = document.getElementById("stack-moved");
const EDGE = 90;
let isChanged = false;

const rows = () => /** @type {HTMLLIElement[]} */ ([...(list?.children ?? [])]);
/** @param {Element} row @returns {HTMLInputElement} */
const placeOf = (row) => /** @type {HTMLInputElement} */ (row.querySelector("[name=at]"));

const number = () => rows().forEach((row, index) => { placeOf(row).value = String(index + 1); });

/** Put a row at a place, from 0. @param {HTMLLIElement} row @param {number} to */
const move = (row, to) => {
  const others = rows().filter((each) => each !== row);
  const at = Math.max(0, Math.min(to, others.length));
  if (rows().indexOf(row) === at) return;
  if (at === others.length) list?.append(row); else list?.insertBefore(row, others[at]);
  number();
  isChanged = true;
  const name = row.querySelector(".name")?.textContent ?? "";
  if (status) status.textContent = (list?.dataset.moved ?? "").replace("%name", name).replace("%at", String(at + 1));
};

/** The row that a part of it is in. @param {EventTarget | null} part @returns {HTMLLIElement | null} */
const rowOf = (part) => (part instanceof Element ? part.closest("li") : null);

if (list) {
  document.querySelectorAll(".needs-script").forEach((each) => each.removeAttribute("hidden"));

  list.addEventListener("keydown", (event) => {
    const row = rowOf(event.target);
    if (!row || !(event.target instanceof Element) || !event.target.matches(".stack-grip")) return;
    const here = rows().indexOf(row);
    const to = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: rows().length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(row, to);
    event.target instanceof HTMLElement && event.target.focus();
    row.scrollIntoView({ block: "nearest" });
  });

  list.addEventListener("change", (event) => {
    const row = rowOf(event.target), place = row ? Number(placeOf(row).value) : 0;
    if (row && Number.isInteger(place) && place >= 1 && place <= rows().length) move(row, place - 1);
    else isChanged = true;
  });

  list.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof Element ? event.target.closest(".stack-grip") : null, row = rowOf(grip);
    if (!grip || !row || event.button !== 0) return;
    event.preventDefault();
    row.classList.add("is-moved");
    let y = event.clientY, isOver = false;
    /** @param {PointerEvent} moved */
    const follow = (moved) => { y = moved.clientY; };
    const frame = () => {
      if (isOver) return;
      if (y < EDGE) window.scrollBy(0, -8);
      if (y > window.innerHeight - EDGE) window.scrollBy(0, 8);
      const others = rows().filter((each) => each !== row);
      move(row, others.filter((each) => { const box = each.getBoundingClientRect(); return box.top + box.height / 2 < y; }).length);
      requestAnimationFrame(frame);
    };
    const end = () => {
      isOver = true;
      row.classList.remove("is-moved");
      for (const kind of ["pointerup", "pointercancel"]) removeEventListener(kind, end);
      removeEventListener("pointermove", follow);
    };
    addEventListener("pointermove", follow);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end);
    requestAnimationFrame(frame);
  });

  addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
  list.closest("form")?.addEventListener("submit", () => { isChanged = false; });
}
