// Slips shown one after another: → or space for the next, ← back, Escape for all. Every slip has links for it as well.
const KEYS = /** @type {Record<string, string>} */ ({ArrowRight: "next", " ": "next", ArrowLeft: "prev", Escape: "up"});

addEventListener("keydown", event => {
  const rel = KEYS[event.key];
  const link = /** @type {HTMLAnchorElement | null} */ (rel && document.querySelector(`:target .turn [rel=${rel}]`));
  if (!link) return;
  event.preventDefault();
  link.click();
});
