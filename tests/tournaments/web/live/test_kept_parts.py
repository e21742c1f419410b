"""Parts of templates that all share: rendered once for what they show and each language, and blind for all else."""

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.translation import override

from tests.tournaments.factories import account, event, name_of, staff
from tests.tournaments.web.visitors import browser, guest, page, url
from tournaments.templatetags.live import MOST_KEPT
from tournaments.web.frame import navigation

LINKS = ("{}manage/settings/", "{}floor/", "{}my/", "/accounts/login/")
"""What only an organiser is shown, what judges, players and visitors are."""


class Line:
    """Counts how often it is shown."""

    def __init__(self, text: str) -> None:
        self.text, self.shown = text, 0

    def __str__(self) -> str:
        self.shown += 1
        return self.text


def test_a_kept_part_is_rendered_once_for_what_it_shows_and_each_language():
    page = Template("{% kept line %}{% translate 'Sign out' %} {{ line }}{% endkept %}")
    line, other = Line("a"), Line("b")
    told = [page.render(Context({"line": each})) for each in (line, other, line, other)]
    with override("de"):
        told.append(page.render(Context({"line": line})))
    assert told == ["Sign out a", "Sign out b"] * 2 + ["Abmelden a"]
    assert (line.shown, other.shown) == (2, 1)


def test_a_kept_part_finds_nothing_but_the_values_it_names():
    """Neither the viewer, nor what else the page was given, nor a token: what one of them sees all would see."""
    page = Template("{% kept line %}{{ line }}{{ secret }}{{ request }}{{ user }}{% csrf_token %}{% endkept %}")
    request = RequestFactory().get("/")
    assert page.render(Context({"line": "a", "secret": "x", "request": request, "csrf_token": "t", "user": "u"})) == "a"


def test_values_are_escaped_as_anywhere_and_at_most_so_many_texts_are_held():
    page = Template("{% kept line %}{{ line }}{% endkept %}")
    for number in range(MOST_KEPT + 3):
        assert page.render(Context({"line": f"<{number}>"})) == f"&lt;{number}&gt;"
    (node,) = page.nodelist
    assert len(node.texts) == 3


def read_by_all() -> None:
    """Organiser, judge, player and visitor ask for one page in both orders: each finds the pages that they may open."""
    tournament = event(4)
    staff(tournament, "juno", "judge")
    people = {
        "organiser": (browser(account("olive")), {LINKS[0], LINKS[1]}),
        "judge": (browser(account("juno")), {LINKS[1]}),
        "player": (guest(tournament, name_of(0)), {LINKS[2]}),
        "visitor": (browser(), {LINKS[3]}),
    }
    for order in (list(people), list(reversed(people))):
        for who in order:
            client, opens = people[who]
            bar = page(client, url(tournament, "standings/")).partition("<nav")[2].partition("</nav>")[0]
            assert {each for each in LINKS if f'"{each.format(url(tournament))}"' in bar} == opens, (who, order)


@pytest.mark.django_db
def test_everybody_finds_their_own_pages_in_the_bar_by_whomever_it_was_asked_before():
    read_by_all()


@pytest.mark.django_db
def test_control_places_kept_for_a_page_alone_show_one_the_pages_of_another(monkeypatch):
    made, kept = navigation._places, {}

    def of_page(slug: str, audience: str, opened: tuple[str, ...], here: str, may_sign_in: bool) -> navigation.Places:
        return kept.setdefault((slug, here), made(slug, audience, opened, here, may_sign_in))

    monkeypatch.setattr(navigation, "_places", of_page)
    with pytest.raises(AssertionError):
        read_by_all()
