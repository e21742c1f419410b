"""The colours of the style sheet keep WCAG 2.2 AA in both themes: computed from the tokens, not from a screenshot."""

import re
from pathlib import Path

import pytest

LOOK = Path(__file__).resolve().parents[2] / "static" / "base.css"
SURFACES = ("paper", "sheet", "sunk")
STATES = ("open", "wait", "done", "wrong")
THEMES = ("light", "dark")
Colour = tuple[float, float, float]


def tokens(theme: str) -> dict[str, Colour]:
    pairs = re.findall(r"--(\w[\w-]*): light-dark\((#\w{6}), (#\w{6})\);", LOOK.read_text(encoding="utf-8"))
    return {name: parse_hex(light if theme == "light" else dark) for name, light, dark in pairs}


def parse_hex(text: str) -> Colour:
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def tint() -> float:
    found = re.search(r"--tint: ([\d.]+)%", LOOK.read_text(encoding="utf-8"))
    assert found
    return float(found[1]) / 100


def mix(colour: Colour, share: float, ground: Colour) -> Colour:
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(colour, ground, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast(parse_hex("#000000"), parse_hex("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", SURFACES)
@pytest.mark.parametrize("text", ["ink", "soft", "ember", *STATES])
def test_text_is_readable_on_each_surface(theme: str, ground: str, text: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_state_is_readable_on_its_own_tint(theme: str, state: str) -> None:
    colours = tokens(theme)
    ground = mix(colours[state], tint(), colours["sheet"])
    assert contrast(colours[state], ground) >= 4.5
    assert contrast(colours["ink"], ground) >= 4.5
    assert contrast(colours["soft"], ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("text", ["ink", "soft", "ember", *STATES])
def test_text_is_readable_in_the_row_of_the_reader(theme: str, text: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[text], mix(colours["ember"], tint(), colours["sheet"])) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_first_button_is_readable_at_rest_and_under_the_pointer(theme: str) -> None:
    colours = tokens(theme)
    for ground in (colours["ember"], mix(colours["ember"], 0.88, colours["ink"])):
        assert contrast(colours["on-ember"], ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", SURFACES)
@pytest.mark.parametrize("edge", ["edge", "ember", "wrong"])
def test_edges_of_controls_and_focus_are_visible(theme: str, ground: str, edge: str) -> None:
    colours = tokens(theme)
    assert contrast(colours[edge], colours[ground]) >= 3


def test_fallback_of_old_phones_is_the_light_theme() -> None:
    fallback = LOOK.read_text(encoding="utf-8").split("@supports not", 1)[1].split("@layer base", 1)[0]
    named = {name: parse_hex(value) for name, value in re.findall(r"--(\w[\w-]*): (#\w{6});", fallback)}
    assert named == tokens("light")
