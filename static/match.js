// The page of a player's match: says so when something happened at the table while a person is choosing, and looks again once a phone
// that showed the page it kept has a connection. Every page works without this.
const told = /** @type {HTMLTemplateElement | null} */ (document.getElementById("my-changed"));

document.addEventListener("doomdesk:swapped", () => {
  const news = document.getElementById("my-news"), card = document.getElementById("my-card");
  const changed = news && card && (news.dataset.newest !== card.dataset.newest || news.dataset.phase !== card.dataset.phase);
  const shown = document.querySelector("#my-card > [role=alert].notice");
  if (!changed || shown || !told) return;
  card.prepend(told.content.cloneNode(true));
});

document.addEventListener("click", event => {
  const chosen = event.target instanceof Element ? event.target.closest("[data-unsent-forget]") : null;
  if (chosen) window.doomdesk?.unsent?.drop(chosen.dataset.unsentForget ?? "");
});

const isChoosing = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("main input:is([type=radio], [type=checkbox])"))]
  .some((each) => each.checked !== each.defaultChecked);
const again = async () => {
  if (isChoosing()) return;
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.ok && !isChoosing()) location.reload();
};
if (document.documentElement.hasAttribute("data-kept")) {
  window.addEventListener("online", again);
  setInterval(again, 10_000);
}
