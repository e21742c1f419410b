// The event form is filled again as soon as another way to play is chosen; without scripts a button does that. The first
// event of an organiser starts in the time zone of the browser.

const choice = document.querySelector("#id_play");
if (choice instanceof HTMLSelectElement && choice.form) {
  const { form } = choice;
  choice.addEventListener("change", () => {
    const asked = Object.assign(document.createElement("input"), { type: "hidden", name: "use_way", value: "1" });
    form.append(asked);
    form.submit();
  });
}

// What is folded away: the summary tells what is typed now, and opens where the browser refuses a field.
for (const fold of document.querySelectorAll("[data-values]")) {
  fold.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) tell(fold, target);
  });
  fold.addEventListener("invalid", () => fold.setAttribute("open", ""), true);
}

/** @param {Element} fold  @param {HTMLInputElement | HTMLSelectElement} field */
function tell(fold, field) {
  const value = fold.querySelector(`[data-value="${field.name}"]`);
  if (!(value instanceof HTMLElement)) return;
  const text = words(field);
  value.hidden = field.type === "checkbox" ? !field.matches(":checked") : !text;
  value.querySelector("b")?.replaceChildren(text);
}

/** @param {HTMLInputElement | HTMLSelectElement} field */
function words(field) {
  if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text ?? "";
  if (field.type === "checkbox") return "";
  if (field.type === "radio") return field.labels?.[0]?.textContent?.trim() ?? "";
  return (field.type === "datetime-local" ? field.value.replace("T", " ") : field.value) || field.placeholder;
}

const zone = document.querySelector("[data-guess]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone instanceof HTMLInputElement && zone.value === zone.dataset.guess) {
  if ([...(zone.list?.options ?? [])].some(each => each.value === here)) zone.value = here;
  zone.dispatchEvent(new Event("change", { bubbles: true }));
}
