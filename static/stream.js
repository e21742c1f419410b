// Shows an overlay as far behind as the stream: what came is held for so many seconds, then it takes the place of what is
// shown. What comes stands in a template, which nobody sees and no script finds.
const stage = /** @type {HTMLElement} */ (document.querySelector("[data-stream]"));
const delay = Number(stage.dataset.delay) * 1000;

function hold() {
  const came = document.getElementById("stream-now");
  if (!(came instanceof HTMLTemplateElement)) return;
  const copy = document.importNode(came.content, true);
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (copy.querySelectorAll("[data-clock]"))) clock.dataset.behind = stage.dataset.delay;
  setTimeout(() => stage.replaceChildren(copy), delay);
}

stage.replaceChildren();
document.addEventListener("doomdesk:swapped", hold);
hold();
