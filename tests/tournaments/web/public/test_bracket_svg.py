"""The bracket as a picture: well-formed, inert whatever the players are called, and telling all of each match."""

import re
from xml.etree import ElementTree

import pytest

from tests.tournaments.factories import NOW, account, event, next_round, report_all
from tests.tournaments.web.visitors import page, url
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></svg><script>alert(2)</script>",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "]]><!--&lt;&amp;",
    "javascript:alert(3)",
    "\u202eAda\u2066",
    "陳大文" * 20,
)


def hostile_cup():
    """A running cup of players with such names, its first round reported."""
    tournament = event(8)
    for entry, name in zip(tournament.entries.order_by("number"), HOSTILE, strict=True):
        entry.name = name
        entry.save(update_fields=["name"])
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.DOUBLE_ELIMINATION, name="Cup\x0b\x1f")], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament), 2, 1)
    return tournament


def test_picture_with_hostile_names_is_well_formed_and_inert(client):
    tournament = hostile_cup()
    answer = client.get(url(tournament, "bracket.svg"))
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    root = ElementTree.fromstring(answer.content)
    assert {each.tag for each in root.iter()} <= {SVG + tag for tag in ("svg", "title", "g", "path", "rect", "text")}
    attributes = {name for each in root.iter() for name in each.attrib}
    assert not {name for name in attributes if name.startswith("on") or "href" in name or name == "style"}
    told = " ".join(each.text or "" for each in root.iter(SVG + "title"))
    for name in HOSTILE:
        assert name in told, name


def test_page_with_hostile_names_is_inert(client):
    html = page(client, url(hostile_cup(), "bracket/"))
    assert not re.search(r"<script(?! type=\"module\" src=)", html)
    assert "<img" not in html
    assert " style=" not in html
    assert "{{ 7|add:7 }}" in html.replace("&#x27;", "'")


def test_picture_says_of_each_match_what_it_shows(client):
    tournament = event(4)
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SINGLE_ELIMINATION)], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament), 2, 1)
    root = ElementTree.fromstring(client.get(url(tournament, "bracket.svg")).content)
    titles = [
        each.findtext(SVG + "title") for each in root.iter(SVG + "g") if each.get("class", "").startswith("match")
    ]
    assert len(titles) == 3
    assert titles[0].startswith("Match 1, Semi-finals: ")
    assert "2–1, " in titles[0]
    assert titles[2].endswith("Can be played.")
    assert [each.text for each in root.iter(SVG + "text") if each.get("class") == "round"] == ["Semi-finals", "Final"]
