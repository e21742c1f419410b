"""Fixed tables, players kept apart, byes given beforehand: each way out, and what the log and others learn."""

import pytest

from journal.models import LedgerEntry, PersonalValue
from rules_engine.errors import DomainError
from scoring.standings.records import MatchKind
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser
from tournaments.entries.selectors.pairing_constraints import byes_of, kept_apart_from
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.entries.services.pairing_constraints import award_byes, fix_table, keep_apart, let_meet, take_bye_back
from tournaments.events.services.events import start_tournament
from tournaments.models import AwardedBye, Entry, KeptApart, Stage, Tournament
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def olive():
    return account("olive")


def code_of(act, *args):
    """Why it is refused."""
    with pytest.raises(DomainError) as caught:
        act(olive(), *args, NOW)
    return caught.value.code


def acts(tournament):
    """The acts about needs in the ledger."""
    return LedgerEntry.objects.filter(stream=tournament.stream, act="need.changed")


def test_table_is_fixed_moved_and_taken_away():
    tournament = event(2)
    ada = fix_table(olive(), entry(tournament, "Ada"), 12, NOW)
    assert (ada.fixed_table, ada.fixed_table_set_at) == (12, NOW)
    assert fix_table(olive(), ada, 12, NOW).fixed_table == 12
    assert fix_table(olive(), ada, 4, NOW).fixed_table == 4
    ada = fix_table(olive(), ada, None, NOW)
    assert (ada.fixed_table, ada.fixed_table_set_at) == (None, None)
    assert acts(tournament).count() == 3


@pytest.mark.parametrize("table", [0, -1, 10_000, 10**12])
def test_no_table_beyond_the_hall(table):
    assert code_of(fix_table, entry(event(2), "Ada"), table) == "bad_table"


def test_two_who_play_have_no_fixed_table_in_common():
    tournament = event(3)
    ada = fix_table(olive(), entry(tournament, "Ada"), 1, NOW)
    assert code_of(fix_table, entry(tournament, "Ben"), 1) == "table_taken"
    drop_entry(olive(), ada, NOW)
    assert fix_table(olive(), entry(tournament, "Ben"), 1, NOW).fixed_table == 1


def test_two_are_kept_apart_whoever_is_named_first_until_somebody_lets_them_meet():
    tournament = event(3)
    ada, ben = entry(tournament, "Ada"), entry(tournament, "Ben")
    kept = keep_apart(olive(), ben, ada, "  family ", NOW)
    assert (kept.one, kept.other, kept.reason) == (ada, ben, "family")
    assert [each.entry for each in kept_apart_from(ada)] == [ben]
    assert [each.entry for each in kept_apart_from(ben)] == [ada]
    assert code_of(keep_apart, ada, ben, "") == "apart_already"
    let_meet(olive(), ada, ben, NOW)
    assert not KeptApart.objects.exists()
    assert code_of(let_meet, ada, ben) == "not_apart"


def test_nobody_is_kept_apart_from_oneself_or_from_another_event():
    ada = entry(event(2), "Ada")
    assert code_of(keep_apart, ada, ada, "") == "same_entry"
    assert code_of(keep_apart, ada, entry(event(2), "Ben"), "") == "same_entry"


def test_ledger_names_nobody_and_no_need():
    tournament = event(2)
    ada = fix_table(olive(), entry(tournament, "Ada"), 12, NOW)
    keep_apart(olive(), ada, entry(tournament, "Ben"), "family", NOW)
    assert [each.subjects for each in acts(tournament)] == [{}, {}]
    values = PersonalValue.objects.filter(entry__in=acts(tournament))
    assert set(values.values_list("key", "value")) == {
        ("entry", "1"), ("what", "table"), ("table", "12"), ("what", "apart"), ("other", "2"), ("reason", "family"),
    }  # fmt: skip


def test_byes_are_given_and_taken_back_before_their_round_is_paired():
    tournament = event(5, swiss_rounds=3)
    ada = entry(tournament, "Ada")
    award_byes(olive(), ada, [2, 1, 2], NOW)
    assert byes_of(ada) == (1, 2)
    assert code_of(award_byes, ada, [2, 3]) == "bye_given"
    take_bye_back(olive(), ada, 2, NOW)
    assert byes_of(ada) == (1,)
    assert code_of(take_bye_back, ada, 2) == "no_bye"
    logged = LedgerEntry.objects.filter(stream=tournament.stream, act__startswith="entry.bye").order_by("sequence")
    assert [each.subjects for each in logged] == [{"entry": 1, "rounds": "1 2"}, {"entry": 1, "round": 2}]


@pytest.mark.parametrize("rounds", [[], [0], [4], [1, 100]])
def test_byes_are_for_rounds_that_there_are(rounds):
    assert code_of(award_byes, entry(event(2, swiss_rounds=3), "Ada"), rounds) == "no_such_round"
    assert not AwardedBye.objects.exists()


def test_byes_are_for_stages_that_have_them_and_for_rounds_of_a_later_one():
    robin = event(4)
    set_stages(olive(), robin, [StageDraft(Stage.Kind.ROUND_ROBIN)], NOW)
    assert code_of(award_byes, entry(robin, "Ada"), [2]) == "no_byes"
    page = browser(olive()).get(f"/e/{robin.slug}/manage/entries/1/").content.decode()
    assert "This stage has no byes to give." in page
    assert "Give byes" not in page
    twice = event(4, swiss_rounds=3)
    set_stages(olive(), twice, [StageDraft(planned_rounds=3), StageDraft(planned_rounds=2)], NOW)
    award_byes(olive(), entry(twice, "Ada"), [5], NOW)


def test_a_round_robin_has_the_rounds_that_its_players_make():
    tournament = event(6)
    set_stages(olive(), tournament, [StageDraft(Stage.Kind.ROUND_ROBIN)], NOW)
    tournament.refresh_from_db()
    tournament = start_tournament(olive(), tournament, NOW)
    register_walk_ins(olive(), tournament, [EntryDraft("Late Lou")], NOW)
    next_round(tournament)
    shown = browser().get(f"/e/{tournament.slug}/").content.decode()
    assert "Round 1" in shown
    assert "of 5" not in shown
    assert "5 rounds planned" not in browser(olive()).get(f"/e/{tournament.slug}/manage/rounds/").content.decode()


def test_bye_of_a_round_that_is_paired_or_over_is_neither_given_nor_taken():
    tournament = running(5, swiss_rounds=3)
    ada, ben = entry(tournament, "Ada"), entry(tournament, "Ben")
    award_byes(olive(), ada, [1], NOW)
    pair_next_round(olive(), tournament, NOW, seed=1)
    assert code_of(award_byes, ben, [1]) == "round_paired"
    assert code_of(take_bye_back, ada, 1) == "round_paired"
    award_byes(olive(), ben, [2], NOW)


def test_bye_given_beforehand_is_a_bye_like_any_other():
    tournament = running(5, swiss_rounds=3)
    ada = entry(tournament, "Ada")
    award_byes(olive(), ada, [1], NOW)
    round_ = next_round(tournament)
    assert ada.seats.get().match.kind == MatchKind.BYE.value
    assert ada.seats.get().match.state == "done"
    assert round_.matches.filter(kind=MatchKind.PLAYED.value).count() == 2


def test_round_over_says_so():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    next_round(tournament, 2)
    with pytest.raises(DomainError, match="Round 1 is over"):
        award_byes(olive(), entry(tournament, "Ada"), [1], NOW)


@pytest.mark.parametrize("state", [Entry.State.DROPPED, Entry.State.WITHDRAWN])
def test_no_bye_for_who_does_not_play(state):
    tournament = running(4) if state == Entry.State.DROPPED else event(4)
    ada = drop_entry(olive(), entry(tournament, "Ada"), NOW)
    assert ada.state == state
    assert code_of(award_byes, ada, [2]) == "wrong_entry_state"


def test_nothing_changes_once_the_event_is_over():
    tournament = event(3)
    ada, ben = entry(tournament, "Ada"), entry(tournament, "Ben")
    award_byes(olive(), ada, [1], NOW)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    refused = [
        code_of(fix_table, ada, 1), code_of(keep_apart, ada, ben, ""), code_of(let_meet, ada, ben),
        code_of(award_byes, ada, [2]), code_of(take_bye_back, ada, 1),
    ]  # fmt: skip
    assert set(refused) == {"wrong_state"}
