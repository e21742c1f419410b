/* Judges' pages while they are open: says which tables run over their time, and how long calls wait. */
const told = { at: "", offset: NaN };

/** The server's time in ms: by the clock of the page, else counted on from when the page was made. */
function now() {
  const clock = window.doomdesk?.serverNow?.() ?? NaN;
  if (Number.isFinite(clock)) return clock;
  const made = document.querySelector("[data-now]")?.dataset.now ?? "";
  if (made !== told.at) Object.assign(told, { at: made, offset: Number(made || NaN) - performance.now() });
  return performance.now() + told.offset;
}

function tick() {
  const at = now();
  if (!Number.isFinite(at)) return;
  for (const tile of document.querySelectorAll(".tile[data-ends]")) {
    const over = tile.querySelector(".badge.over");
    if (over) over.hidden = at < Number(tile.dataset.ends);
  }
  for (const each of document.querySelectorAll(".waited")) {
    const minutes = Math.max(0, Math.floor((at - Number(each.dataset.since)) / 60000));
    const text = (each.dataset.words ?? "").replace("%n", String(minutes));
    if (each.textContent !== text) each.textContent = text;
  }
}

tick();
setInterval(tick, 1000);
