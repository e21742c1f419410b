"""What is measured on an open page: axe's rules of WCAG 2.2 A and AA, for fingers, texts cut off."""

import json
from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
ALL = {"type": "tag", "values": TAGS}
RUN = """async only => {
  const found = await axe.run(document, {runOnly: only, resultTypes: ['violations'], elementRef: false});
  return found.violations.flatMap(rule => rule.nodes.slice(0, 3).map(node =>
    `${rule.id}: ${node.html.slice(0, 140)} (${(node.any[0] || node.all[0] || node.none[0] || {}).message || ''})`));
}"""
TARGETS = "button, .button, input, select, textarea, nav a, .choice, .segments label, .scores label, summary"
SMALL = """targets => [...document.querySelectorAll(targets)]
  .filter(node => !['checkbox', 'radio', 'hidden'].includes(node.type) && node.checkVisibility())
  .filter(node => !node.closest('.hidden-visually, svg'))
  .filter(node => { const box = node.getBoundingClientRect(); return box.height < 43.5 })
  .map(node => `${Math.round(node.getBoundingClientRect().height)} px: ${node.outerHTML.slice(0, 110)}`)"""
WIDER = """() => { const over = document.documentElement.scrollWidth - innerWidth; if (over <= 0) return [];
  const out = [...document.querySelectorAll('main *, header *, footer *')].filter(node => {
    const box = node.getBoundingClientRect();
    const out = box.width && (box.right > innerWidth + 1 || box.left < -1);
    return out && !node.closest('.scroll, .hidden-visually, .skip');
  });
  return [`${over} px wider than the screen: ${(out[out.length - 1] || document.body).outerHTML.slice(0, 140)}`]; }"""
FRAME = """() => { const found = [];
  const ids = [...document.querySelectorAll('[id]')].map(node => node.id);
  ids.filter((id, at) => id && ids.indexOf(id) < at).forEach(id => found.push(`the id ${id} stands twice`));
  if (document.querySelector('[tabindex]:not([tabindex="0"]):not([tabindex="-1"])')) found.push('a tabindex above 0');
  const heads = [...document.querySelectorAll('h1')].filter(node => !node.closest('.sample'));
  if (heads.length !== 1) found.push(heads.length + ' h1');
  if (!document.querySelector('main#main')) found.push('no main');
  if (!document.documentElement.lang || !document.documentElement.dir) found.push('no lang or dir');
  const shown = node => getComputedStyle(node).display;
  const astray = [...document.querySelectorAll('tr > *')]
    .find(node => shown(node.parentElement) === 'table-row' && !['table-cell', 'none'].includes(shown(node)));
  if (astray) found.push('no cell in its row: ' + astray.outerHTML.slice(0, 90));
  const first = document.querySelector('a, button, input, select, textarea, summary');
  if (document.querySelector('.bar') && !(first && first.matches('.skip'))) found.push('the skip link is not first');
  return found; }"""

CUT = (Path(__file__).parent / "cut_texts.js").read_text(encoding="utf-8")
SHORTENED = {"narrow": ".crumbs, .who, .undo .what, #told .newest", "wide": ".who, .undo .what"}
"""What may end in an ellipsis: names in a phone's bar, yours in any; a toast that goes; an announcement to unfold."""
PAGED = ".wall-list"
"""What is cut off between two lines shows on the next page of the screen."""


def axe_faults(page: Page, only: dict[str, object]) -> list[str]:
    """What axe finds; loads it where it is not yet."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    return list(page.evaluate(RUN, json.loads(json.dumps(only))))


def small_targets(page: Page) -> list[str]:
    """Controls less than 44 px high."""
    return list(page.evaluate(SMALL, TARGETS))


def sticking_out(page: Page) -> list[str]:
    """Whether the page is wider than its screen, and by what."""
    return list(page.evaluate(WIDER))


def cut_texts(page: Page) -> list[str]:
    """Texts that are cut off, lie outside the screen or over one another, and hints too long for their fields."""
    is_narrow = page.evaluate("innerWidth") < 640
    return list(page.evaluate(CUT, {"shortened": SHORTENED["narrow" if is_narrow else "wide"], "paged": PAGED}))


def frame_faults(page: Page) -> list[str]:
    """Ids twice, jumping tab order, headings, landmarks, language, cells beside their rows, skip link."""
    return list(page.evaluate(FRAME))
