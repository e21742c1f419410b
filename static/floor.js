/* Judges' pages while they are open: says which tables run over their time, and how long calls wait. */
const now = () => (window.doomdesk?.serverNow ? window.doomdesk.serverNow() : Date.now());

function tick() {
  for (const tile of document.querySelectorAll("[data-ends]")) {
    const over = tile.querySelector(".badge.over");
    if (over) over.hidden = now() < Number(tile.dataset.ends);
  }
  for (const each of document.querySelectorAll("[data-since]")) {
    const minutes = Math.max(0, Math.floor((now() - Number(each.dataset.since)) / 60000));
    const text = each.dataset.words.replace("%n", minutes);
    if (each.textContent !== text) each.textContent = text;
  }
}

tick();
setInterval(tick, 1000);
