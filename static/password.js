// "Show the password": what is typed can be read while the box is ticked. Without a script the box isn't there.
const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-show-password]"));
const box = place?.querySelector("input");
const fields = /** @type {HTMLInputElement[]} */ ([...(place?.closest("form")?.querySelectorAll("input[type=password]") ?? [])]);

if (place && box && fields.length) {
  place.hidden = false;
  const show = (/** @type {boolean} */ shown) => fields.forEach((field) => { field.type = shown ? "text" : "password"; });
  box.addEventListener("change", () => show(box.checked));
  // Browsers offer to keep a password, and never to complete a text.
  place.closest("form")?.addEventListener("submit", () => show(false));
  show(box.checked);
}
