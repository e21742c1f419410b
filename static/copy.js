// "Copy" after each address, code or text to be taken along. Without a script there is the text alone, selected whole.
const words = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[data-copied]"))?.dataset;

/** @param {Element} from */
async function copy(from) {
  const text = from instanceof HTMLTextAreaElement ? from.value : from.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain HTTP, as in most shops, has no clipboard: there the old command takes what is selected.
    if (from instanceof HTMLTextAreaElement) from.select();
    else getSelection()?.selectAllChildren(from);
    return document.execCommand("copy");
  }
}

function offer() {
  for (const from of document.querySelectorAll(":is(.copy, .snippet):not(a):not(:has(+ [data-copies]))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.dataset.copies = "";
    button.setAttribute("aria-live", "polite");
    button.textContent = words?.copy ?? "";
    button.addEventListener("click", async () => {
      if (!await copy(from)) return;
      button.textContent = words?.copied ?? "";
      setTimeout(() => { button.textContent = words?.copy ?? ""; }, 2000);
    });
    from.after(button);
  }
}

offer();
document.addEventListener("doomdesk:swapped", offer);
