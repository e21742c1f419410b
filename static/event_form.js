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

const zone = document.querySelector("[data-guess]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone instanceof HTMLInputElement && zone.value === zone.dataset.guess) {
  if ([...(zone.list?.options ?? [])].some(each => each.value === here)) zone.value = here;
}
