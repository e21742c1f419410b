"""What the page of fairness counts, held against a plain count and against what the engine itself was given."""

from collections import Counter
from hashlib import sha256
from random import Random

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.standings.results import table_result
from tests.tournaments.factories import NOW, account, event, next_round, running, score
from tests.tournaments.web.visitors import text_of
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Match, Seat, Stage, StoredRoundInput, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.fairness import compute_fairness
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db


def play(tournament: Tournament, rounds: int, draw: Random) -> None:
    """Rounds with results by chance."""
    for _each in range(rounds):
        for match in matches_of(next_round(tournament, draw.randrange(1000))):
            seats = match.seats.count()
            if match.kind == Match.Kind.PLAYED:
                places = draw.sample(range(1, seats + 1), seats)
                result = score(*draw.choice([(2, 0), (1, 2), (1, 1)])) if seats == 2 else table_result(places)
                report_result(account("olive"), match, result, NOW)


def tables_event(players: int) -> Tournament:
    held = event(players, game="doomlings", game_format="standard", best_of=1)
    set_stages(account("olive"), held, [StageDraft("tables", planned_rounds=6, tables=TablePolicy(4, 3, 5))], NOW)
    return start_tournament(account("olive"), held, NOW)


def mixed(tournament: Tournament, draw: Random) -> Tournament:
    """The event with clubs and teams by chance, played for a few rounds."""
    for each in tournament.entries.all():
        each.club, each.team = draw.choice(["", "Lantern", "lantern ", "Dusk"]), draw.choice(["", "", "Red"])
        each.save(update_fields=["club", "team"])
    play(tournament, draw.randint(2, 4), draw)
    return tournament


def plain_count(tournament: Tournament) -> dict[int, tuple[object, ...]]:
    """What each entry had, seat by seat; scores are those that the engine was told before each round."""
    rows = Seat.objects.filter(round__stage__tournament=tournament).select_related("match__round__stage", "entry")
    seats, told = list(rows), {}
    for each in StoredRoundInput.objects.filter(round__stage__tournament=tournament):
        told[each.round_id] = {one["id"]: one.get("score", 0) for one in each.given["contenders"]}
    found = {}
    for entry in {seat.entry for seat in seats}:
        met, counts, places, sizes = set[int](), Counter[str](), Counter[int](), Counter[int]()
        for own in sorted((each for each in seats if each.entry == entry), key=lambda each: each.match.round.number):
            others = [each.entry for each in seats if each.match_id == own.match_id and each.entry != entry]
            counts["byes"] += not others
            for other in others:
                mine, theirs = told[own.round_id][entry.pk], told[own.round_id][other.pk]
                counts["downs"] += mine > theirs
                counts["ups"] += mine < theirs
                counts["rematches"] += other.pk in met
                counts["mates"] += bool(
                    (entry.club.strip() and entry.club.strip().lower() == other.club.strip().lower())
                    or (entry.team and entry.team == other.team)
                )
            if own.match.round.stage.kind == Stage.Kind.TABLES:
                counts["downs"] = counts["ups"] = 0
                places[own.order] += 1
                sizes[len(others) + 1] += 1
            elif others:
                drawn = sha256(f"{own.match.round.lots}:{own.match.table_number}".encode()).hexdigest()
                counts["firsts"] += int(drawn, 16) % 2 == own.order - 1
            met.update(other.pk for other in others)
        keys = ("byes", "downs", "ups", "rematches", "mates", *(["firsts"] if not places else []))
        found[entry.pk] = ([counts[key] for key in keys], dict(places), dict(sizes))
    return found


def test_numbers_are_those_of_a_plain_count(seed: int) -> None:
    for each in range(4):
        draw = Random(seed + each)
        pairs, tables = running(draw.randint(4, 9), swiss_rounds=6), tables_event(draw.randint(6, 13))
        for tournament in (mixed(pairs, draw), mixed(tables, draw)):
            found = compute_fairness(tournament)
            keys = ("byes", "downs", "ups", "rematches", "mates", *(["firsts"] if tournament == pairs else []))
            counted = {
                player.entry: ([getattr(player, key) for key in keys], dict(player.seats), dict(player.sizes))
                for player in found.players
            }
            assert counted == plain_count(tournament), (seed + each, tournament.game)
            for key, rounds_key, seen in (("byes", "byes", 1), ("downs", "floats", 1), ("rematches", "rematches", 2)):
                by_round = sum(getattr(one, rounds_key) for one in found.rounds)
                assert sum(getattr(one, key) for one in found.players) == by_round * seen


def page_of(tournament: Tournament) -> str:
    return text_of(Client().get(f"/e/{tournament.slug}/fairness/").content.decode())


def test_page_says_whether_better_was_possible_and_api_tells_the_same() -> None:
    tournament = running(5, swiss_rounds=3)
    assert "shown from the first published round" in page_of(tournament)
    play(tournament, 2, Random(1))
    pair_next_round(account("olive"), tournament, NOW)
    text = page_of(tournament)
    assert text.count("Proved: no pairing keeps the rules better.") == 2
    assert "There are no rematches." in text
    assert "Table sizes" not in text
    told = Client().get(f"/api/v1/events/{tournament.slug}/fairness/").json()
    assert [each["number"] for each in told["rounds"]] == [1, 2]
    assert sum(each["byes"] for each in told["players"]) == 2
    assert {each["turns"] for each in told["players"]} <= {1, 2}


def test_a_round_changed_by_hand_is_not_compared() -> None:
    """How far it is from the best would tell whom the staff keep apart."""
    tournament = running(4, swiss_rounds=3)
    round_ = next_round(tournament)
    seen = seen_mark(round_, round_draft_of(round_))
    change_round(account("olive"), round_, Change(Act.LOCK, table=2), "asked", NOW, seen=seen)
    text = page_of(tournament)
    assert "Changed by hand once" in text
    assert "Proved" not in text
    assert "No equally valid pairing" not in text


def test_queries_do_not_grow_and_strangers_see_no_private_event() -> None:
    counts = []
    for players, rounds in ((4, 1), (40, 3)):
        tournament = running(players, swiss_rounds=5)
        play(tournament, rounds, Random(2))
        Client().get(f"/e/{tournament.slug}/fairness/")  # a process asks once where the event's parts stand
        cache.clear()
        with CaptureQueriesContext(connection) as caught:
            assert Client().get(f"/e/{tournament.slug}/fairness/").status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 24
    hidden = running(2, visibility="private")
    assert Client().get(f"/e/{hidden.slug}/fairness/").status_code == 404
    assert Client().get(f"/api/v1/events/{hidden.slug}/fairness/").status_code == 404
