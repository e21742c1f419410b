"""An event of every format that ships: made in the browser, with the length its game usually has."""

import pytest

from rules_engine.systems import list_systems
from tests.tournaments.factories import next_round, report_all, running
from tests.tournaments.web.organiser.test_organiser import VALUES, browser, text_of
from tournaments.events.forms.play import play_value
from tournaments.models import Tournament
from tournaments.standings.selectors.standings import standing_rows

pytestmark = pytest.mark.django_db
FORMATS = [(system.slug, each.slug) for system in list_systems() for each in system.formats]


@pytest.mark.parametrize(("game", "game_format"), FORMATS, ids="/".join)
def test_event_of_every_format_can_be_made(game: str, game_format: str) -> None:
    facts = next(system.match for system in list_systems() if system.slug == game)
    values = {**VALUES, "play": play_value(game, game_format), "best_of": str(facts.best_of_default)}
    response = browser("olive").post("/new/", values)
    assert response.status_code == 302, text_of(response)
    tournament = Tournament.objects.get()
    assert (tournament.game, tournament.game_format, tournament.best_of) == (game, game_format, facts.best_of_default)


@pytest.mark.parametrize(("game", "game_format"), FORMATS, ids="/".join)
def test_round_of_every_format_is_played(game: str, game_format: str) -> None:
    facts = next(system.match for system in list_systems() if system.slug == game)
    tournament = running(4, game=game, game_format=game_format, best_of=1)
    round_ = next_round(tournament)
    report_all(round_, 1, 0)
    assert [match.seats.count() for match in round_.matches.all()] == ([4] if facts.tables_of else [2, 2])
    assert [row.standing.rank for row in standing_rows(tournament)] in ([1, 2, 3, 4], [1, 1, 3, 3])


def test_first_event_starts_from_a_format_that_checks_decks() -> None:
    page = browser("olive").get("/new/").content.decode()
    assert '<option value="doom_pile/standard" selected>' in page
