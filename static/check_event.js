// The page that checks an event file in the browser: the file that is opened or dropped on it, or the event as it is now.
const place = document.getElementById("check");
const form = place?.querySelector("form"), list = place?.querySelector("ol"), told = place?.querySelector("[role=status]");
const input = form?.elements.namedItem("file");

/** @param {string} result */
function lineFor(result) {
  const found = place?.querySelector(`template[data-result="${result}"]`);
  const item = found instanceof HTMLTemplateElement ? found.content.firstElementChild?.cloneNode(true) : null;
  return item instanceof HTMLElement ? item : document.createElement("li");
}

/** @param {"busy" | "right" | "wrong"} summary @param {string} more */
function tell(summary, more = "") {
  for (const each of told?.querySelectorAll("[data-summary]") ?? []) each.hidden = each.dataset.summary !== summary;
  const words = told?.querySelector("[data-first]");
  if (words) words.textContent = more;
}

let run = 0;
/** @param {() => Promise<ArrayBuffer>} read @param {string} key */
async function check(read, key) {
  const mine = ++run;
  list?.replaceChildren();
  tell("busy");
  const { verify } = await import(place?.dataset.program ?? "");
  let first = "", file;
  try {
    file = new Uint8Array(await read());
  } catch {
    file = new Uint8Array();
  }
  for await (const { result, check, detail } of verify(file, key.trim())) {
    if (mine !== run) return; // another file was opened meanwhile
    const item = lineFor(result), words = item.querySelector("[data-words]");
    if (words) words.textContent = detail ? `${check}: ${detail}` : check;
    list?.append(item);
    if (result !== "right" && result !== "open") first ||= `${check}: ${detail}`;
    await new Promise(shown => setTimeout(shown)); // each line is seen as soon as it is known
  }
  tell(first ? "wrong" : "right", first);
}

if (place && form && input instanceof HTMLInputElement) {
  const isAble = "DecompressionStream" in window;
  place.hidden = !isAble;
  const old = document.getElementById("check-too-old");
  if (old) old.hidden = isAble;
  const key = () => String(new FormData(form).get("key") ?? "");
  /** @param {File | undefined} file */
  const open = file => { if (file) check(() => file.arrayBuffer(), key()); };
  form.addEventListener("submit", event => {
    event.preventDefault();
    check(async () => (await fetch(form.action)).arrayBuffer(), key());
  });
  input.addEventListener("change", () => open(input.files?.[0]));
  place.addEventListener("dragover", event => event.preventDefault());
  place.addEventListener("drop", event => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  });
}
export {};
