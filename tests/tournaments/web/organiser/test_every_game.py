"""An event of every way to play that ships: made in the browser as the way says, and a round of it played."""

import pytest

from rules_engine.systems import list_systems
from rules_engine.ways import Way
from tests.tournaments.factories import next_round, report_all, running
from tests.tournaments.web.organiser.test_organiser import VALUES, browser, text_of
from tests.tournaments.web.organiser.test_sheet_options import shown
from tournaments.models import Stage, Tournament
from tournaments.standings.selectors.standings import standing_rows

pytestmark = pytest.mark.django_db
WAYS = [(system.slug, way) for system in list_systems() for way in system.ways]
IDS = [f"{game}/{way.slug}" for game, way in WAYS]


@pytest.mark.parametrize(("game", "way"), WAYS, ids=IDS)
def test_event_of_every_way_is_made_by_one_choice(game: str, way: Way) -> None:
    """The form is filled by the choice alone: format, length, roles, sheets and tables are those of the way."""
    play, other = f"{game}/{way.slug}", "doomlings/tables" if game == "doom_pile" else "doom_pile/best-of-3"
    olive, values = browser("olive"), {**VALUES, "play": play, "shown_play": other}
    filled = olive.post("/new/", values).context["form"]
    assert not Tournament.objects.exists()
    assert filled["name"].value() == VALUES["name"]
    response = olive.post("/new/", {**shown(filled), "starts_at": VALUES["starts_at"]})
    assert response.status_code == 302, text_of(response)
    made = Tournament.objects.get()
    assert (made.game, made.game_format, made.variant, made.way) == (game, way.format, way.variant, way.slug)
    assert (made.best_of, made.exact_games) == (way.best_of, way.exact_games)
    assert (made.deciding_game, made.sheet_options) == (way.deciding_game, dict(way.sheet_options))
    tables = made.stages.get(number=1).kind == Stage.Kind.TABLES
    assert tables == (way.tables is not None)


@pytest.mark.parametrize(("game", "way"), WAYS, ids=IDS)
def test_round_of_every_way_is_played(game: str, way: Way) -> None:
    tournament = running(6, game=game, game_format=way.format, way=way.slug, best_of=None)
    round_ = next_round(tournament)
    seats = sorted(match.seats.count() for match in round_.matches.all())
    assert set(seats) <= ({2} if way.tables is None else set(range(way.tables.least, way.tables.most + 1)))
    report_all(round_, 1, 0)
    assert next(row.standing.rank for row in standing_rows(tournament)) == 1


def test_first_event_starts_from_a_format_that_checks_decks() -> None:
    page = browser("olive").get("/new/").content.decode()
    assert '<option value="doom_pile/best-of-3" selected>' in page
