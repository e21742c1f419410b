// The page at the door: goes on once the staff answered; a tablet returns to its start when nobody touches it.
const ASKS = 4_000, LEAVES = 90_000;

if (document.querySelector("[data-waits]")) setInterval(async () => {
  const answer = await fetch(location.href).catch(() => null);
  if (answer && !(await answer.text()).includes("data-waits")) location.replace(location.href);
}, ASKS);

const start = /** @type {HTMLElement | null} */ (document.querySelector("[data-leaves]"))?.dataset.leaves;
let leaving = 0;
function stay() {
  clearTimeout(leaving);
  if (start) leaving = window.setTimeout(() => location.replace(start), LEAVES);
}
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, stay);
stay();
