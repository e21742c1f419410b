// The event form is filled again as soon as another way to play is chosen; without scripts a button does that.

const choice = document.querySelector("#id_play");
if (choice instanceof HTMLSelectElement && choice.form) {
  const { form } = choice;
  choice.addEventListener("change", () => {
    const asked = Object.assign(document.createElement("input"), { type: "hidden", name: "use_way", value: "1" });
    form.append(asked);
    form.submit();
  });
}
