"""Pages by keyboard alone: Tab comes by every control in reading order, seen each time; keys do the acts."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.page_audits.conftest import Drawn
from tests.page_audits.site import Site

pytestmark = pytest.mark.browser
LAPTOP, PHONE = (1280, 800), (390, 844)
KEY_PAGES = (
    ("kit", "/e/{room}/desk/", LAPTOP),
    ("olive", "/e/{room}/manage/", LAPTOP),
    ("olive", "/e/{room}/manage/settings/", LAPTOP),
    ("olive", "/e/{waiting}/manage/entries/", LAPTOP),
    ("juno", "/e/{room}/floor/", PHONE),
    ("juno", "/e/{room}/match/{match5}/?from=floor", PHONE),
    ("player6", "/e/{room}/my/", PHONE),
    ("opponent3", "/e/{room}/my/", PHONE),
    ("doomlings", "/e/{doomlings}/match/{doomlings_match}/sheet/parts/1/", PHONE),
    ("at_table", "/e/{room}/table/", PHONE),
    ("", "/e/{room}/", LAPTOP),
    ("", "/e/{room}/wall/pairings/", LAPTOP),
    ("", "/accounts/login/", PHONE),
    ("", "/accounts/signup/", PHONE),
    ("mallory", "/e/{waiting}/register/", PHONE),
)
"""Who walks over which page, on which screen."""
PREPARE = """() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const groups = new Set();
  window.stops = all.filter(node => {
    if (node.disabled || node.type === 'hidden' || !node.checkVisibility({visibilityProperty: true})) return false;
    if (node.type !== 'radio') return true;
    const group = (node.form?.id || '') + node.name;
    if (groups.has(group)) return false;
    groups.add(group);
    return true;
  });
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  return window.stops.length;
}"""
"""Marks where Tab has to stop: visible controls, one of each group of radio buttons."""
STOP = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const same = other => other === node
    || other.type === 'radio' && other.name === node.name && other.form === node.form;
  const seen = [node, node.closest('label'), node.parentElement].some(each => {
    const style = each && getComputedStyle(each);
    return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  });
  const box = node.getBoundingClientRect();
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const words = node.getAttribute('aria-label') || node.labels?.[0]?.innerText || node.innerText || node.name || '';
  const told = node.tagName.toLowerCase() + ' ' + words.trim().slice(0, 40);
  return {at: window.stops.findIndex(same), seen, inside, told};
}"""
ABOVE = """() => {
  const found = [];
  const box = node => node.getBoundingClientRect();
  for (let at = 1; at < stops.length; at++) {
    let [one, other] = [stops[at - 1], stops[at]];
    if (other.closest('.bar, .dock') || [one, other].some(each => each.closest('[hidden]'))) continue;
    const ways = node => { const way = []; for (; node; node = node.parentElement) way.unshift(node); return way; };
    const [left, right] = [ways(one), ways(other)];
    const fork = left.findIndex((node, depth) => node !== right[depth]);
    if (fork < 0 || !left[fork] || !right[fork]) continue;
    if (getComputedStyle(left[fork].parentElement).columnWidth !== 'auto') continue;
    const [a, b] = [box(left[fork]), box(right[fork])];
    if (a.height && b.height && b.bottom <= a.top + 1)
      found.push(other.outerHTML.slice(0, 80) + ' stands above what comes before');
  }
  return found;
}"""
"""Controls that stand above the one before them; the bar's account stands beside its links, a dock sticks, a list in
columns goes on at the top of the next one."""

FRAME = "() => new Promise(shown => requestAnimationFrame(() => setTimeout(shown)))"
"""Waits for a frame: only then does `autofocus` take the focus."""

PILES_BUILT = "() => ![...document.querySelectorAll('textarea[data-pile]')].some(area => !area.hidden)"
"""The lists of cards are fields by then: a script builds them once it has the cards, and may take the focus."""

MISSED = "seen => stops.filter((_, at) => !seen.includes(at)).map(node => node.outerHTML.slice(0, 80))"


def window_of(site: Site, browser: Browser, who: str, size: tuple[int, int]) -> BrowserContext:
    """A window in which somebody looks."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, base_url=site.address, locale="en-GB", reduced_motion="reduce")
    context.add_cookies(site.cookies(who))
    return context


def walk(tab: Page) -> list[str]:
    """What is wrong on the way with Tab through an open page."""
    tab.wait_for_function(PILES_BUILT)
    tab.evaluate(FRAME)
    count, faults, visited, last = tab.evaluate(PREPARE), list(tab.evaluate(ABOVE)), set(), -1
    for _ in range(count + 40):
        tab.keyboard.press("Tab")
        stop = tab.evaluate(STOP)
        if stop is None or (stop["at"] < last and stop["at"] in visited):
            break
        if stop["at"] != last and not (stop["seen"] and stop["inside"]):
            faults.append(f"the focus is not seen: {stop['told']}")
        if stop["at"] >= 0:
            if stop["at"] < last:
                faults.append(f"Tab goes back: {stop['told']}")
            visited.add(stop["at"])
            last = stop["at"]
    missed = tab.evaluate(MISSED, sorted(visited))
    return faults + [f"Tab does not come to {each}" for each in missed]


def test_tab_comes_by_everything_seen_and_in_order(site: Site, browser: Browser, drawn: Drawn) -> None:
    faults = []
    for who, path, size in drawn(KEY_PAGES, 3):
        context = window_of(site, browser, who, size)
        tab = context.new_page()
        tab.goto(path.format_map(site.values))
        faults += [f"{path} ({who or 'visitor'}): {fault}" for fault in walk(tab)]
        context.close()
    assert not faults, "\n".join(faults)


def focus(tab: Page, selector: str) -> None:
    """Bring the focus there by Tab alone."""
    for _ in range(150):
        tab.keyboard.press("Tab")
        if tab.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not come to {selector}")


def test_menu_skip_link_and_languages_work_by_keys(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    tab.goto("/e/{room}/manage/".format_map(site.values))
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    tab.goto("/e/{room}/manage/".format_map(site.values))
    focus(tab, ".rail a[href$='/manage/log/']")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/manage/log/")
    focus(tab, ".languages [value=de]")
    tab.keyboard.press("Space")
    tab.wait_for_selector("html[lang=de]")
    context.close()


def test_menu_of_the_bar_works_by_keys_on_a_narrow_screen(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", (768, 1024))
    tab = context.new_page()
    tab.goto("/e/{room}/manage/".format_map(site.values))
    focus(tab, ".more > summary")
    tab.keyboard.press("Enter")
    focus(tab, ".more[open] a[href$='/manage/log/']")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/manage/log/")
    assert tab.locator(".more > .holds-page").is_visible()
    context.close()


def test_desk_finds_clears_and_takes_back_by_keys(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "kit", LAPTOP)
    tab = context.new_page()
    tab.goto("/e/{room}/desk/".format_map(site.values))
    tab.wait_for_selector("#entry[data-ready]")
    field = "document.activeElement.name"
    assert tab.evaluate(field) == "table"
    tab.keyboard.type("6")
    tab.keyboard.press("Enter")
    assert tab.evaluate(field) == "result"
    tab.keyboard.press("Escape")
    assert (tab.evaluate(field), tab.input_value("[name=table]")) == ("table", "")
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "q"
    tab.keyboard.type("nora")
    tab.keyboard.press("Enter")
    assert (tab.evaluate(field), tab.input_value("[name=table]")) == ("result", "6")
    context.set_offline(True)
    tab.keyboard.type("1")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#shelf [data-group=kept]:not([hidden])")
    tab.keyboard.press("Control+z")
    tab.wait_for_selector("#shelf [data-group=kept]", state="hidden")
    assert tab.evaluate("doomdesk.desk.pending()") == 0
    context.close()


def test_player_chooses_a_result_by_keys(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "player6", PHONE)
    tab = context.new_page()
    tab.goto("/e/{room}/my/".format_map(site.values))
    focus(tab, "details:has(input[type=radio]) > summary")
    tab.keyboard.press("Enter")
    focus(tab, "main input[type=radio]")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.checked")
    focus(tab, "main button[type=submit]")
    context.close()
