// "Show the password": what is typed can be read while the box is ticked. Without a script the box isn't there.
const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-show-password]"));
const box = place?.querySelector("input");
const field = /** @type {HTMLInputElement | null} */ (document.querySelector("form.form input[type=password]"));

if (place && box && field) {
  place.hidden = false;
  const follow = () => { field.type = box.checked ? "text" : "password"; };
  box.addEventListener("change", follow);
  // Browsers offer to keep a password, and never to complete a text.
  field.form?.addEventListener("submit", () => { field.type = "password"; });
  follow();
}
