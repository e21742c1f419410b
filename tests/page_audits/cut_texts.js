/* What a reader cannot read: texts that are cut off, outside the screen or over another one, states broken inside a word, hints too long for their fields. */
async ({ shortened, paged }) => {
  const DRAWN = 500; // milliseconds: a browser may draw nothing while nothing on the page changes, and call nobody then
  await Promise.race([ // at the new width of the window
    new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    new Promise((late) => setTimeout(late, DRAWN)),
  ]);
  const PART = 0.2; // of a line's height that is above or below its letters
  const LONG_WORD = 10; // letters; a longer one may have to break on a phone
  const faults = [], boxes = [], ways = new Map();
  const brush = document.createElement("canvas").getContext("2d");
  const told = (node) => `${node.localName} "${(node.innerText ?? node.textContent).trim().slice(0, 50)}"`;

  /* What cuts off a text, whether it scrolls into sight, and whether it lies over the page or is not there for the eye. */
  const wayOf = (node) => {
    if (!node || node === document.documentElement) return { clips: [] };
    if (ways.has(node)) return ways.get(node);
    const above = wayOf(node.parentElement), style = getComputedStyle(node), box = node.getBoundingClientRect();
    const scrolls = /auto|scroll/.test(style.overflowX), cuts = /hidden|clip/.test(style.overflowX + style.overflowY);
    const way = {
      clips: scrolls ? [] : cuts ? [...above.clips, box] : above.clips,
      scrolls: above.scrolls || scrolls,
      floats: above.floats || /sticky|fixed/.test(style.position),
      hidden: above.hidden || node.matches(".hidden-visually, .skip") || (style.clipPath !== "none" && box.width <= 2),
    };
    ways.set(node, way);
    return way;
  };
  const within = (line, clip) => ({
    left: Math.max(line.left, clip.left), right: Math.min(line.right, clip.right),
    top: Math.max(line.top, clip.top), bottom: Math.min(line.bottom, clip.bottom),
  });
  const letters = ({ left, right, top, bottom }) => ({ left, right, top: top + (bottom - top) * PART, bottom: bottom - (bottom - top) * PART });

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    const node = text.parentElement, way = wayOf(node);
    if (!text.data.trim() || way.hidden || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of [...range.getClientRects()].filter((each) => each.width > 1 && each.height > 1)) {
      const line = letters(rect), seen = way.clips.reduce(within, line);
      const isGone = seen.right - seen.left < 1 || seen.bottom - seen.top < 1;
      const isCut = isGone || seen.left > line.left + 1.5 || seen.right < line.right - 1.5 || seen.top > line.top + 1.5 || seen.bottom < line.bottom - 1.5;
      if (isCut && !(isGone && node.closest(paged)) && !node.closest(shortened)) faults.push(`cut: ${told(node)}`);
      if (isGone || way.scrolls) continue;
      if (seen.right > innerWidth + 1 || seen.left < -1) faults.push(`outside the screen: ${told(node)}`);
      if (!way.floats && !node.closest("svg")) boxes.push({ line: seen, node });
    }
  }
  const part = document.createRange();
  for (const state of document.querySelectorAll(".state")) {
    if (wayOf(state).hidden || !state.checkVisibility() || state.closest("[data-stays], .desk")) continue;
    const words = document.createTreeWalker(state, NodeFilter.SHOW_TEXT);
    for (let text; (text = words.nextNode());) {
      if (text.parentElement.closest(".hidden-visually")) continue;
      for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        part.setStart(text, word.index), part.setEnd(text, word.index + word[0].length);
        if (word[0].length <= LONG_WORD && part.getClientRects().length > 1) faults.push(`broken inside a word: ${told(state)}`);
      }
    }
  }
  boxes.sort((one, other) => one.line.top - other.line.top);
  boxes.forEach((one, at) => {
    for (let next = at + 1; next < boxes.length && boxes[next].line.top < one.line.bottom - 2; next++) {
      const other = boxes[next];
      const isBeside = one.line.right - 2 < other.line.left || other.line.right - 2 < one.line.left;
      if (one.node !== other.node && !isBeside) faults.push(`one text over another: ${told(one.node)} and ${told(other.node)}`);
    }
  });
  for (const field of document.querySelectorAll("input[placeholder]")) {
    const style = getComputedStyle(field), words = field.value || field.placeholder;
    if (!words || !field.checkVisibility() || wayOf(field).hidden) continue;
    brush.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (brush.measureText(words).width > room + 1) faults.push(`cut in its field: "${words}"`);
  }
  return [...new Set(faults)];
}
