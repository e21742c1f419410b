"""Events that another program recorded come in as finished events of ours, and what differs is said."""

import json
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from accounts.actors import SYSTEM
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError, TooMany
from tests.refusals import refusal
from tests.tournaments.bundles.test_event_files import assert_right
from tests.tournaments.events.test_replay import EVENTS, match, small
from tests.tournaments.factories import NOW, account
from tests.tournaments.web.visitors import browser, page
from tournaments.events.recorded_playoffs import players_in
from tournaments.events.services import bringing_recorded
from tournaments.events.services.bringing_recorded import bring_recorded_event, is_recorded
from tournaments.events.services.events import reopen_tournament
from tournaments.models import Entry, Match, ResultReport, Role, Tournament
from tournaments.standings.selectors.standings import standing_rows

pytestmark = pytest.mark.django_db
REAL = sorted(EVENTS.glob("*.json"))
LATER = NOW.replace(year=2027)
SMALL = EVENTS / "topdeck-premodern-2025-01-25-016.json"


def brought(path):
    return bring_recorded_event(SYSTEM, path.read_bytes(), LATER)


def data_of(**changes):
    return json.dumps(small(**changes)).encode()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_event_comes_in_whole_and_right(path):
    """Entries, rounds and results are the file's, the standings ours; a stranger's program finds all of it right."""
    file, recorded = json.loads(path.read_text("utf-8")), brought(path)
    tournament = recorded.tournament
    assert tournament.state == Tournament.State.FINISHED
    assert {each.name for each in tournament.entries.all()} == {each["id"] for each in file["players"]}
    in_file = sum(len(round_["matches"]) for round_ in file["rounds"])
    kept = Match.objects.filter(round__stage__tournament=tournament)
    assert kept.count() == in_file - recorded.playoffs.left_out
    assert kept.filter(round__stage__number=2).count() == len(recorded.playoffs.matches)
    assert verify_stream(tournament.stream) == []
    assert_right(tournament)
    ranked = {each.what for each in recorded.differences}
    assert ranked <= {"rank"}  # points and percentages are the published ones; some ties are drawn otherwise


def bracket_of(tournament):
    """Who met in each round of the bracket, with the games won."""
    stage = tournament.stages.get(number=2)
    return [
        {
            (tuple(seat.entry.name for seat in seats), tuple(seat.results.get().games_won for seat in seats))
            for seats in round_
        }
        for round_ in (
            [sorted(match.seats.all(), key=lambda seat: seat.order) for match in each.matches.all()]
            for each in stage.rounds.order_by("number")
        )
    ]


def final_ranks(tournament):
    return [(row.standing.rank, row.entry.name) for row in standing_rows(tournament)]


def test_playoffs_become_the_bracket_although_the_file_writes_final_and_semi_finals_into_one_round():
    recorded = brought(EVENTS / "melee-pioneer-2024-04-06-018.json")
    assert (recorded.playoffs.left_out, recorded.left_out_words) == (0, "")
    rounds = bracket_of(recorded.tournament)
    assert [len(matches) for matches in rounds] == [4, 2, 1]
    (final,) = rounds[2]
    assert (set(final[0]), sorted(final[1])) == ({"P1321", "P1508"}, [0, 2])
    first, second, *_rest = final_ranks(recorded.tournament)
    assert (first, second) == ((1, "P1321"), (2, "P1508")), "as in the standings of the file"


def test_a_match_for_third_place_is_played_and_matches_for_lower_places_are_told_as_left_out():
    recorded = brought(EVENTS / "manatraders-standard-2024-04-30-081.json")
    tournament = recorded.tournament
    assert [len(matches) for matches in bracket_of(tournament)] == [4, 2, 2]
    assert final_ranks(tournament)[:4] == [(1, "P0820"), (2, "P0829"), (3, "P0388"), (4, "P0743")]
    assert recorded.left_out_words == (
        "4 playoff matches are left out: a bracket here has no matches for places below the third."
    )
    seeds = [tournament.entries.get(pk=pk).name for pk in tournament.stages.get(number=2).seeds]
    assert seeds[:4] == ["P0820", "P0829", "P0388", "P0408"], "the Swiss ranks, where those met who met"


def playoff(*rounds):
    """A file whose four players all played Swiss rounds, with these playoffs."""
    swiss = [{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ben", 2, 0), match("Cem", "Dora", 2, 1)]}]
    more = [{"number": 2 + n, "stage": "playoff", "matches": list(matches)} for n, matches in enumerate(rounds)]
    return data_of(rounds=swiss + more)


SEMIS = (match("Dora", "Ada", 2, 1), match("Ben", "Cem", 2, 0))


@pytest.mark.parametrize(
    ("content", "left_out", "why"),
    [
        (playoff(SEMIS, [match("Ben", "Dora", 3, 2)]), 0, None),
        (playoff(SEMIS, [match("Ben", "Dora", 2, 0), match("Ada", "Cem", 1, 0)]), 0, None),
        (playoff([match("Ben", "Dora", 2, 0), *SEMIS]), 0, None),
        (playoff([match("Ben", "Dora", 2, 0)]), 0, None),
        (playoff(SEMIS), 2, "no_bracket"),
        (playoff([match("Ada", "Ben", 2, 0)], [match("Ada", "Cem", 2, 0)]), 2, "no_bracket"),
        (playoff(SEMIS, [match("Ben", "Dora", 2, 0)], [match("Dora", "Ben", 2, 0)]), 4, "no_bracket"),
        (playoff([match("Ada", "Ben", 2, 0), match("Ben", "Ada", 2, 0)]), 2, "no_bracket"),
        (playoff(SEMIS, [match("Ben", "Dora", 1, 1)]), 3, "no_winner"),
        (playoff([match("Ada", "Ben", 2, 0), match("Cem", None, 2, 0, bye=True)]), 2, "no_opponent"),
        (data_of(rounds=[{"number": 1, "stage": "playoff", "matches": [match("Ada", "Ben", 2, 0)]}]), 1, "no_swiss"),
    ],
    ids=[
        "whole",
        "third place",
        "one round",
        "a final",
        "no final",
        "three players",
        "a second final",
        "a circle",
        "a draw",
        "a bye",
        "no Swiss rounds",
    ],
)
def test_what_makes_no_bracket_is_left_out_and_told(content, left_out, why):
    recorded = bring_recorded_event(account("olive"), content, NOW)
    assert (recorded.playoffs.left_out, recorded.playoffs.why) == (left_out, why)
    assert bool(recorded.left_out_words) == bool(left_out)
    assert recorded.tournament.stages.count() == (1 if recorded.playoffs.tree is None else 2)
    assert recorded.tournament.state == Tournament.State.FINISHED
    assert_right(recorded.tournament)
    if recorded.playoffs.tree is not None:
        assert final_ranks(recorded.tournament)[0][1] == "Ben"


def test_a_bracket_read_in_another_order_is_found_by_the_files_own_results(monkeypatch):
    """The control: seeds by Swiss ranks alone would have others meet."""
    content = playoff(SEMIS, [match("Ben", "Dora", 2, 0)])
    monkeypatch.setattr("tournaments.events.services.replayed_playoffs._seeded", by_rank_alone)
    with pytest.raises(KeyError):
        bring_recorded_event(account("olive"), content, NOW)


def by_rank_alone(tree, seeds, ranks):
    return dict(zip(range(1, len(seeds) + 1), sorted(players_in(tree), key=ranks.__getitem__), strict=True))


@pytest.mark.parametrize(
    ("column", "change", "told"),
    [
        ("points", lambda old: old + 1, "points"),
        ("rank", lambda old: old + 20, "rank"),
        ("omw", lambda old: 0.0, "omw"),
    ],
)
def test_each_difference_is_said(column, change, told):
    file = json.loads(SMALL.read_text("utf-8"))
    before = set(brought(SMALL).differences)
    line = file["official_standings"][3]
    line[column] = change(line[column])
    found = set(bring_recorded_event(SYSTEM, json.dumps(file).encode(), LATER).differences) - before
    assert {(each.player, each.what) for each in found} == {(line["player"], told)}
    (difference,) = found
    assert Decimal(difference.theirs) == Decimal(repr(line[column])) != Decimal(difference.ours)


def test_event_is_its_organisers_and_can_be_corrected():
    olive = account("olive")
    tournament = bring_recorded_event(olive, data_of(), NOW).tournament
    assert (tournament.visibility, tournament.created_by, tournament.is_brought) == ("unlisted", olive.user, False)
    assert Role.objects.filter(tournament=tournament, user=olive.user, name="organiser").exists()
    assert tournament.entries.get(name="Cem").entered_round == 2
    assert not tournament.entries.filter(state=Entry.State.WITHDRAWN).exists()
    assert reopen_tournament(olive, tournament, "a slip was misread", NOW).state == "running"


def test_same_file_is_one_event_of_its_organiser():
    first = bring_recorded_event(account("olive"), data_of(), NOW).tournament
    assert bring_recorded_event(account("olive"), data_of(), NOW).tournament == first
    assert bring_recorded_event(account("kit"), data_of(), NOW).tournament != first
    assert Tournament.objects.count() == 2


def test_no_time_of_the_event_lies_ahead():
    """An event of this very morning ended before it was brought."""
    event = {"id": "today", "name": "Today", "date": NOW.date().isoformat()}
    tournament = bring_recorded_event(SYSTEM, data_of(event=event), NOW).tournament
    assert tournament.finished_at <= NOW
    assert not LedgerEntry.objects.filter(stream=tournament.stream, at__gt=NOW).exists()


def official(**changes):
    line = {"player": "Ada", "rank": 1, "points": 6, "omw": 0.5, "gw": 0.5, "ogw": 0.5}
    return {"official_standings": [{**line, **changes}]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"schema": "swiss-event/2"}', "schema"),
        (b"{", "JSON"),
        (data_of(event={"id": "x", "name": "x", "date": "2031-01-01"}), "lies ahead"),
        (data_of(players=[{"id": "Ada"}]), "does not stand"),
        (data_of(**official(player="Zed")), "not listed"),
        (data_of(**official(rank="first")), "no number"),
        (data_of(**official(points=-1)), "no number"),
        (data_of(**official(omw=float("nan"))), "no share"),
        (data_of(**official(omw=2)), "no share"),
        (data_of(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ada", 2, 0)]}]), "exactly one seat"),
    ],
)
def test_bad_file_is_refused_with_the_reason_and_leaves_nothing(content, words):
    assert is_recorded(content)
    with pytest.raises(DomainError) as caught:
        bring_recorded_event(account("olive"), content, NOW)
    assert words in caught.value.message
    assert (Tournament.objects.exists(), ResultReport.objects.exists(), LedgerEntry.objects.exists()) == (False,) * 3


def test_an_account_brings_no_more_than_it_may(settings, monkeypatch):
    settings.EVENTS_A_DAY = 1
    bring_recorded_event(account("olive"), data_of(), NOW)
    other = data_of(event={"id": "other", "name": "Other", "date": "2020-01-02"})
    with pytest.raises(TooMany):
        bring_recorded_event(account("olive"), other, NOW)
    monkeypatch.setattr(bringing_recorded, "MAX_MATCHES", 3)
    assert refusal(bring_recorded_event, account("kit"), other, NOW) == "file_too_large"
    assert bring_recorded_event(SYSTEM, other, NOW)  # the control: who runs the site may


def test_page_brings_it_and_says_what_differs():
    olive = browser(account("olive"))
    file = json.loads(SMALL.read_text("utf-8"))
    file["official_standings"][0]["points"] += 1
    first, second = (each["id"] for each in file["players"][:2])
    drawn = match(first, second, 1, 1)
    file["rounds"].append({"number": 9, "stage": "playoff", "matches": [drawn]})
    upload = SimpleUploadedFile("event.json", json.dumps(file).encode())
    answer = olive.post("/bring/", {"upload": upload}, follow=True)
    slug = Tournament.objects.get().slug
    assert answer.redirect_chain == [(f"/e/{slug}/", 302)]
    words = answer.content.decode()
    assert "is played again from its file" in words
    assert f"{file['official_standings'][0]['player']}, points" in words
    assert "1 playoff match is left out: one of them has no winner." in words
    for path in ("standings/", "pairings/", "statistics/", "check/", "manage/", "manage/log/"):
        assert page(olive, f"/e/{slug}/{path}"), path
    assert "imported the event from a record" in page(olive, f"/e/{slug}/manage/log/")
    refused = olive.post("/bring/", {"upload": SimpleUploadedFile("event.json", b'{"schema": 1}')})
    assert "is not an event" in refused.content.decode()


def test_command_brings_it_and_says_what_differs(tmp_path, capsys):
    path = tmp_path / "event.json"
    file = json.loads(SMALL.read_text("utf-8"))
    file["official_standings"][0]["points"] += 1
    path.write_text(json.dumps(file))
    call_command("import_event", str(path))
    said = capsys.readouterr().out
    assert f"/e/{Tournament.objects.get().slug}/" in said
    assert f"differs: {file['official_standings'][0]['player']}, points" in said
    path.write_text("{}")
    with pytest.raises(CommandError, match="schema"):
        call_command("import_event", str(path))
