"""The table of parts is true: after every act each page that changed is found anew, and none else is.

One event with acts that change what its pages show, and acts that change nothing there. After each act all pages are
built anew and compared with what they were; what the table says of the acts is compared with that. The control takes
one row after the other out of the table.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

import pytest
from django.db.models import Model
from django.test import Client

from accounts.identity.services import rename_account, set_profile_shown
from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, entry, event, report_all, score, staff, table
from tests.tournaments.web.visitors import browser, url
from tournaments.core import parts
from tournaments.core.parts import CHANGES, Part, ends_answers, parts_of
from tournaments.core.versions import Versions
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import check_in_entry, drop_entry, return_entry
from tournaments.entries.services.entries import EntryDraft, change_entry, register_walk_ins
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.events.services.undoing import undo_act
from tournaments.kept_answers import QUESTIONS
from tournaments.management.demo import sample_decklist
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Announcement, JudgeCall, Match, Penalty, Role, Round, Stage, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import dispute_report, report_result
from tournaments.room.selectors.clocks import timed_round
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.room.services.calls import call_judge
from tournaments.room.services.clocks import give_extra_time, pause_clock, start_clock
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.live import page_cache
from tournaments.web.live.tags import read_tag

pytestmark = pytest.mark.django_db

WALL = "wall/?show=pairings,tables,standings,announcements,clock"
PATHS = ("", "pairings/", "standings/", "player/1/", WALL)
"""What visitors read."""
OF_ADA = "what Ada reads of the event"


@dataclass(frozen=True)
class Step:
    """What happened at once: the acts, the pages that are not what they were, and those with other versions.

    `shown` are the parts that each page showed before; `is_timed`: the clock of the round came or went.
    """

    acts: Collection[tuple[str, Mapping[str, object]]]
    changed: Collection[str]
    moved: Collection[str]
    shown: Mapping[str, Collection[Part]]
    is_timed: bool
    answers: Collection[str] = ()
    """The questions that have another answer than before (`tournaments.kept_answers`)."""

    def says(self, page: str, but: Part | None = None) -> bool:
        """Whether the table says that the page, or a page without one of its parts, is to be built anew."""
        shown = {*self.shown[page], Part.NAMES} - {but}
        return self.is_timed or any(parts_of(act, subjects) & shown for act, subjects in self.acts)


class Watched:
    """The pages of an event as they were seen last."""

    def __init__(self, held: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
        self._held = held
        self._readers = {path: (Client(), url(held, path)) for path in PATHS}
        self._readers[OF_ADA] = (browser(account("ada")), url(held))
        self._seen: dict[str, tuple[str, tuple[str, ...], Collection[Part]]] = {}
        self._is_timed, self._last = False, 0
        self._answers: dict[str, object] = {}
        self._asked: list[tuple[Collection[Part], tuple[str, ...]]] = []
        of = Versions.of

        def noted(versions: Versions, parts: Collection[Part]) -> tuple[str, ...]:
            self._asked.append((parts, of(versions, parts)))
            return self._asked[-1][1]

        monkeypatch.setattr(Versions, "of", noted)

    def look(self) -> Step:
        """What happened since the last look."""
        before, self._seen = self._seen, {}
        for name, (client, address) in self._readers.items():
            page_cache.forget_pages()
            self._asked.clear()
            etag = client.get(address).headers["ETag"]
            _of_event, _others, _results, (shown, versions), *blocks = self._asked
            assert shown is None or all(set(each) <= {*shown, Part.OTHERS} for each, _versions in blocks), (
                f"a block of {name} shows more"
            )
            tag = read_tag(etag)
            self._seen[name] = (tag.page if tag else etag, versions, shown)
        acts = list(LedgerEntry.objects.filter(pk__gt=self._last).order_by("pk").values_list("pk", "act", "subjects"))
        was_timed, self._is_timed = self._is_timed, timed_round(Tournament.objects.get(pk=self._held.pk)) is not None
        self._last = acts[-1][0]
        changed, moved = ([name for name in before if before[name][at] != self._seen[name][at]] for at in (0, 1))
        shown = {name: parts for name, (_etag, _versions, parts) in before.items()}
        fresh = Tournament.objects.get(pk=self._held.pk)
        said = {each.__qualname__: described(each(fresh)) for each in QUESTIONS} | {"the event": described(fresh)}
        answers = [name for name in said if said[name] != self._answers.get(name)]
        self._answers = said
        return Step([each[1:] for each in acts], changed, moved, shown, was_timed != self._is_timed, answers)


def described(answer: object) -> object:
    """An answer by what it says, rows with their values."""
    if isinstance(answer, Mapping):
        return {key: described(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [described(each) for each in answer]
    if isinstance(answer, Model):
        return {name: value for name, value in vars(answer).items() if not name.startswith("_")}
    return answer


@pytest.fixture(scope="module")
def history(shared_db) -> list[Step]:
    """What each act changed, first to last."""
    load_catalogues(NOW, [get_system("doom_pile")])
    held = event(4)
    staff(held, "juno", Role.Name.JUDGE)
    for name in ("Ada", "Ben", "Cem", "Dora"):
        member = entry(held, name).members.get()
        member.person.user = account(name.lower()).user
        member.person.save()
    with pytest.MonkeyPatch.context() as monkeypatch:
        watched, steps = Watched(held, monkeypatch), []
        watched.look()
        for act in acts_of(held):
            act()
            steps.append(watched.look())
    return steps


def faults(history: list[Step]) -> set[tuple[str, str]]:
    """Pages that changed and would be shown as they were, each with the last act before."""
    return {(each.acts[-1][0], page) for each in history for page in each.changed if not each.says(page)}


def test_every_page_that_changed_is_found_anew(history):
    assert faults(history) == set()


def test_what_the_table_says_is_what_pages_are_found_by(history):
    """So no page is built anew that shows none of the parts that an act changed."""
    for step in history:
        assert set(step.moved) == {
            page for page in step.shown if any(parts_of(*act) & {*step.shown[page], Part.NAMES} for act in step.acts)
        }


def test_each_row_of_the_table_is_needed(history, monkeypatch):
    """The control: without its row the pages that an act changed would be shown as they were."""
    table = dict(CHANGES)
    for part in set(Part) - {Part.CALLS, Part.OTHERS}:
        monkeypatch.setattr(parts, "CHANGES", {**table, part: ()})
        assert faults(history), f"nothing was missed without {part}"


def test_no_result_changes_what_an_event_keeps(history):
    """So results, which come by the hundred, leave it; each question had another answer once."""
    kept = [each for each in history if not any(ends_answers(act) for act, _subjects in each.acts)]
    assert kept
    assert [each for each in kept if each.answers] == []
    asked = {name for each in history for name in each.answers}
    assert asked >= {"shown_rounds", "announcements_of", "stages_of", "_by_entry", "the event"}


def test_no_page_names_a_part_that_it_does_not_show(history):
    """Each part that a page names was once the only one to say that it changed."""
    named = {(page, part) for step in history for page, shown in step.shown.items() for part in shown}
    needed = {
        (page, part)
        for page, part in named
        if any(page in step.changed and not step.says(page, but=part) for step in history)
    }
    assert named - needed == {("player/1/", Part.DECKS)}, "the control: decks are not public here"


def acts_of(held: Tournament) -> Iterator[Callable[[], object]]:
    """Acts in their order; each is asked for when those before are done."""
    olive, juno, ada = (account(name) for name in ("olive", "juno", "ada"))
    stage = {"kind": Stage.Kind.SINGLE_ELIMINATION, "qualify": Stage.Qualify.TOP, "qualify_value": 2}

    def now() -> Tournament:
        return Tournament.objects.get(pk=held.pk)

    def newest() -> Round:
        return Round.objects.filter(stage__tournament=held, superseded_at=None).latest("number")

    def match(number: int = 1) -> Match:
        return table(newest(), number)

    yield lambda: update_settings(olive, held, {"place": "the back room"}, NOW)
    yield lambda: register_walk_ins(olive, held, [EntryDraft("Zoe")], NOW)
    yield lambda: change_entry(olive, entry(held, "Zoe"), NOW, name="Zora")
    yield lambda: check_in_entry(olive, entry(held, "Zora"), NOW)
    yield lambda: drop_entry(olive, entry(held, "Zora"), NOW)
    yield lambda: register_deck(ada, entry(held, "Ada").members.get(), "Pile", sample_decklist(copies=3), NOW)
    yield lambda: set_profile_shown(ada.user, ada, NOW, shown=True)
    yield lambda: rename_account(ada.user, "Ada Lovelace", ada, NOW)
    yield lambda: set_profile_shown(ada.user, ada, NOW, shown=False)
    yield lambda: set_stages(olive, now(), [StageDraft(planned_rounds=3), StageDraft(**stage)], NOW)
    yield lambda: start_tournament(olive, now(), NOW)
    yield lambda: post_announcement(olive, held, "Lunch at one", NOW)
    yield lambda: withdraw_announcement(olive, Announcement.objects.get(), NOW)
    yield lambda: undo_act(olive, now(), LedgerEntry.objects.filter(stream=held.stream).latest("pk").sequence, NOW)
    yield lambda: pair_next_round(olive, now(), NOW, seed=1)
    yield lambda: publish_round(olive, newest(), NOW)
    yield lambda: start_clock(olive, newest(), NOW)
    yield lambda: pause_clock(olive, newest(), NOW)
    yield lambda: give_extra_time(juno, match(), 180, "deck check", NOW)
    yield lambda: call_judge(olive, match(), JudgeCall.Kind.values[0], "", NOW)
    seats = list(match().seats.values_list("entry", flat=True))
    yield lambda: change_round(
        olive, newest(), Change(Act.SEATS, table=1), "asked", NOW, seen=seen_mark(newest(), round_draft_of(newest()))
    )
    assert list(match().seats.values_list("entry", flat=True)) != seats
    own = [account(each.entry.name.lower()) for each in match().seats.order_by("order")]
    yield lambda: report_result(own[0], match(), score(2, 0), NOW, seat=match().seats.order_by("order")[0])
    yield lambda: dispute_report(own[1], match().reports.get(), "no", NOW)
    yield lambda: report_result(olive, match(), score(2, 1), NOW)
    yield lambda: correct_result(olive, match(), score(0, 2), "typed wrong", NOW)
    yield lambda: change_entry(olive, entry(held, "Cem"), NOW, name="Cemal")
    yield lambda: give_penalty(juno, entry(held, "Ben"), Penalty.Kind.WARNING, "Slow play", NOW)
    yield lambda: change_entry(olive, entry(held, "Ada"), NOW, club="The Club")
    yield lambda: drop_entry(olive, entry(held, "Dora"), NOW)
    yield lambda: return_entry(olive, entry(held, "Dora"), NOW)
    yield lambda: pair_next_round(
        olive, now(), NOW, seed=1, reason="late", without=newest().matches.values_list("pk", flat=True)
    )
    yield lambda: publish_round(olive, newest(), NOW)
    yield lambda: report_all(Round.objects.get(stage__tournament=held, superseded_at=None, number=1))
    yield lambda: give_penalty(juno, entry(held, "Dora"), Penalty.Kind.DISQUALIFICATION, "Cheating", NOW)
    yield lambda: take_back_penalty(juno, Penalty.objects.latest("pk"), "it was not her", NOW)
    yield lambda: report_all(newest())
    yield lambda: finish_tournament(olive, now(), NOW, early="time")
