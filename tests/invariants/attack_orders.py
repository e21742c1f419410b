"""Attacks of several steps, tried in every order: what a dishonest member of the staff and a borrowed phone do.

A step is tried once those have been taken without which it means nothing (`NEEDS`). One that is refused changes
nothing, so what follows it is what follows without it: such an order goes no further.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.db import transaction
from django.test import Client, RequestFactory

from accounts.actors import Actor
from accounts.http.access import check_access
from accounts.http.middleware import ActorMiddleware
from accounts.models import PersonalLink
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.standings.results import MatchResult
from tests.tournaments.factories import account, entry, event, score, staff
from tests.tournaments.table_phones import seats_at
from tournaments.decks.selectors.reveal import revealed_plans
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.decks.services.decks import replace_deck
from tournaments.entries.services.desk_entries import issue_entry_link, revoke_entry_links
from tournaments.entries.services.entries import sign_up
from tournaments.events.selectors.undoing import RULES
from tournaments.events.services.events import start_tournament
from tournaments.events.services.undoing import undo_act
from tournaments.management.demo import sample_decklist
from tournaments.models import Match, Round, Seat, TableCode, Tournament
from tournaments.permissions import may_see_own_list, member_of
from tournaments.results.selectors import pending_of
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.table_access.services import (
    agree_from_table,
    issue_codes,
    mark_deck_ready_from_table,
    report_from_table,
    revoke_codes,
)
from tournaments.web.table_page.table_session import TableCodeMiddleware

REVOCATIONS = ("entry.links_revoked", "table_codes.revoked", "table_codes.issued")


@dataclass
class Scene:
    """An event, the phones by name with the session that each holds, and what the organiser ended so far."""

    event_id: int
    phones: dict[str, str] = field(default_factory=dict)
    ended: frozenset[str] = frozenset()

    @property
    def held(self) -> Tournament:
        """The event as a request would load it."""
        return Tournament.objects.get(pk=self.event_id)

    @property
    def match(self) -> Match:
        """The match at table 1; DomainError while there is none."""
        loaded = Match.objects.select_related("round__stage__tournament")
        found = loaded.filter(round__stage__tournament=self.event_id, table_number=1).first()
        if found is None:
            raise DomainError("nothing_paired", "Nothing is paired yet.")
        return found

    def seat(self, name: str) -> Seat:
        """Where somebody sits at that match."""
        return next(seat for seat in seats_at(self.match) if seat.entry.name == name)

    def open(self, phone: str, address: str) -> None:
        """Open a link or code in the browser of a phone, which keeps its session if it has one."""
        browser = Client()
        if phone in self.phones:
            browser.cookies["sessionid"] = self.phones[phone]
        browser.get(address)
        self.phones[phone] = browser.cookies["sessionid"].value

    def who(self, phone: str) -> Actor:
        """Who a request of this phone acts as, by the product's own middleware."""
        request = RequestFactory().get("/")
        request.session, request.user = SessionStore(self.phones.get(phone)), AnonymousUser()
        request.session.save()
        return ActorMiddleware(TableCodeMiddleware(lambda asked: asked.actor))(request)

    @property
    def state(self) -> tuple[object, ...]:
        """What an act that had an effect changes."""
        last = LedgerEntry.objects.filter(stream=self.held.stream).order_by("-sequence").values_list("sequence").first()
        return last, dict(self.phones)


NEEDS = {
    "pair": {"enter"}, "publish": {"pair"}, "words of Kit": {"publish"}, "words by link": {"publish", "link"},
    "words by code": {"publish", "code"},
}  # fmt: skip

Step = Callable[[Scene], object]
Check = Callable[[Scene], list[str]]


def walk(scene: Scene, steps: Mapping[str, Step], check: Check, done: tuple[str, ...] = ()) -> Iterator[str]:
    """Every order of the steps, each taken once at most; what `check` finds broken after which steps."""
    for name in (each for each in steps if NEEDS.get(each, set()) <= set(done)):
        with tried(scene) as before:
            with suppress(DomainError), transaction.atomic():
                steps[name](scene)
            if scene.state != before:
                order = (*done, name)
                yield from (f"{', '.join(order)}: {broken}" for broken in check(scene))
                left = {each: step for each, step in steps.items() if each != name}
                yield from walk(scene, left, check, order)


@contextmanager
def tried(scene: Scene) -> Iterator[tuple[object, ...]]:
    """What happens within is taken back; gives the state from before."""
    before, phones, ended = scene.state, dict(scene.phones), scene.ended
    cache.clear()
    with transaction.atomic():
        yield before
        transaction.set_rollback(True)
    scene.phones, scene.ended = phones, ended


# The scenes


def with_kit(role: str, **changes: object) -> Scene:
    """Kit is of the staff, Ada a walk-in; they will be the only players once Kit enters. Kit's browser is not Ada's."""
    load_catalogues(database_now(), [get_system("doom_pile")])
    held = event(1, **{"table_reports": "agreed", "scorekeepers_issue": True, **changes})
    staff(held, "kit", role)
    return Scene(held.pk)


def nameless(mode: str = "agreed", *phones: str) -> Scene:
    """Ada and Ben, walk-ins with decks, sit at table 1; phones, "one" unless told, opened the organiser's code."""
    load_catalogues(database_now(), [get_system("doom_pile")])
    scene = Scene(event(2, table_reports=mode).pk)
    for name in ("Ada", "Ben"):
        give_deck(scene, name)
    pair(scene)
    publish(scene)
    issue_code(scene, "olive", *(phones or ("one",)))
    return scene


# The steps


def enter(scene: Scene) -> None:
    """Kit plays too."""
    kit = account("kit")
    sign_up(kit, scene.held, kit.person, database_now())


def give_deck(scene: Scene, name: str = "Ada") -> None:
    """A judge registers somebody's deck."""
    member = entry(scene.held, name).members.get()
    replace_deck(account("juno"), member, f"{name}'s", sample_decklist(copies=3), "from paper", database_now())


def pair(scene: Scene) -> None:
    """The organiser starts the event and pairs its first round."""
    held = start_tournament(account("olive"), scene.held, database_now())
    pair_next_round(account("olive"), held, database_now(), seed=1)


def publish(scene: Scene) -> None:
    """The organiser publishes it."""
    publish_round(account("olive"), scene.match.round, database_now())


def issue_link(scene: Scene, maker: str = "kit") -> None:
    """Somebody of the staff makes Ada's personal link, and opens it on a phone of their own."""
    actor, held = account(maker), scene.held
    check_access("entries.links", actor, held)
    old = live_links(scene)
    token = issue_entry_link(actor, entry(held, "Ada"), database_now())
    note_ended(scene, maker, old)
    scene.open(f"link of {maker}", f"/p/{token}/")


def issue_code(scene: Scene, maker: str = "kit", *phones: str) -> None:
    """Somebody of the staff makes the code of table 1, which phones open."""
    actor, held = account(maker), scene.held
    check_access("tables.codes", actor, held)
    old = live_codes(scene)
    [made] = issue_codes(actor, held, 1, 1, database_now())
    note_ended(scene, maker, old)
    for phone in phones or (f"code of {maker}",):
        scene.open(phone, f"/t/{made.token}/")


def revoke_link(scene: Scene, maker: str) -> None:
    """Somebody of the staff revokes what links Ada has."""
    check_access("entries.links", account(maker), scene.held)
    old = live_links(scene)
    revoke_entry_links(account(maker), entry(scene.held, "Ada"), database_now())
    note_ended(scene, maker, old)


def revoke_code(scene: Scene, maker: str) -> None:
    """Somebody of the staff revokes every code."""
    check_access("tables.codes", account(maker), scene.held)
    old = live_codes(scene)
    revoke_codes(account(maker), scene.held, database_now())
    note_ended(scene, maker, old)


def undo(scene: Scene, who: str = "kit") -> None:
    """Somebody undoes the newest act about links and codes that may be undone."""
    made = LedgerEntry.objects.filter(stream=scene.held.stream, act__in=set(REVOCATIONS) & set(RULES))
    for sequence in made.order_by("-sequence").values_list("sequence", flat=True):
        with suppress(DomainError):
            undo_act(account(who), scene.held, sequence, database_now())
            return


def words_of_kit(scene: Scene) -> None:
    """Kit, as a player: places the own deck, reports a win, agrees to what somebody else reported."""
    seat = scene.seat("kit")
    say(scene, account("kit"), seat, won_by(seat))


def by_link(maker: str = "kit") -> Step:
    """Words for Ada by the link that somebody made: her deck is placed, she lost, she agrees."""

    def speak(scene: Scene) -> None:
        actor, seat = scene.who(f"link of {maker}"), scene.seat("Ada")
        if member_of(actor, scene.held) is not None:
            say(scene, actor, seat, lost_by(seat))

    return speak


def by_code(maker: str = "kit") -> Step:
    """The same by the code of her table."""

    def speak(scene: Scene) -> None:
        for act in ("place", "report", "agree"):
            with suppress(DomainError):
                one_word(scene, f"code of {maker}", act, scene.seat("Ada"), lost_by(scene.seat("Ada")))

    return speak


def say(scene: Scene, actor: Actor, seat: Seat, result: MatchResult) -> None:
    """All that may be said for a seat by name, each word whatever became of the one before."""
    now, match = database_now(), seat.match
    for word in (
        lambda: mark_deck_ready(actor, seat, 1, now),
        lambda: report_result(actor, match, result, now, seat=seat),
        lambda: [confirm_report(actor, each, now, seat=seat) for each in pending_of(scene.match)],
    ):
        with suppress(DomainError):
            word()


def one_word(scene: Scene, phone: str, act: str, seat: Seat, result: MatchResult) -> None:
    """A word by the code that a phone opened."""
    actor, now = scene.who(phone), database_now()
    if act == "place":
        mark_deck_ready_from_table(actor, seat, 1, now)
    elif act == "report":
        report_from_table(actor, seat, result, now)
    else:
        for report in pending_of(scene.match):
            agree_from_table(actor, report, seat, now)


def word_for(phone: str, act: str, place: int) -> Step:
    """A word by a phone for the seat at a place, from 0, after which the first player won."""
    return lambda scene: one_word(scene, phone, act, seats_at(scene.match)[place], score(2, 0))


def won_by(seat: Seat) -> MatchResult:
    """A result in which whoever sits there wins."""
    return score(2, 0) if seat.order == 1 else score(0, 2)


def lost_by(seat: Seat) -> MatchResult:
    """A result in which whoever sits there loses."""
    return score(0, 2) if seat.order == 1 else score(2, 0)


# What must hold


def live_links(scene: Scene) -> set[str]:
    live = PersonalLink.objects.filter(scope=scene.held.stream, revoked_at=None)
    return {f"link {pk}" for pk in live.values_list("pk", flat=True)}


def live_codes(scene: Scene) -> set[str]:
    live = TableCode.objects.filter(tournament=scene.event_id, revoked_at=None)
    return {f"code {pk}" for pk in live.values_list("pk", flat=True)}


def note_ended(scene: Scene, maker: str, old: set[str]) -> None:
    """Remember what the organiser ended."""
    if maker == "olive":
        scene.ended |= old - live_links(scene) - live_codes(scene)


def nothing_shown(scene: Scene) -> list[str]:
    """Neither a plan nor Ada's deck is shown to Kit, or to a phone in Kit's hands, while Kit plays."""
    actors, now = {"kit": account("kit"), **{phone: scene.who(phone) for phone in scene.phones}}, database_now()
    broken = [f"{name} reads Ada's deck" for name, actor in actors.items() if reads_deck(scene, actor)]
    for match in matches(scene):
        shown = {name: revealed_plans(actor, match, now) for name, actor in actors.items()}
        broken += [f"{name} reads {len(plans)} plans" for name, plans in shown.items() if plans]
    logged = LedgerEntry.objects.filter(stream=scene.held.stream, act="deck.revealed").count()
    return broken + ["a deck was revealed"] * logged


def reads_deck(scene: Scene, actor: Actor) -> bool:
    """Whether somebody is shown Ada's deck as the own one, while Kit plays."""
    held = scene.held
    if actor.user is not None or not actor.is_known:
        return False
    member = member_of(actor, held)
    kit_plays = held.entries.filter(name="kit").exists()
    is_ada = member is not None and member.entry.name == "Ada" and member.deck_version_id is not None
    return bool(kit_plays and is_ada and member and may_see_own_list(actor, member))


def nothing_settled(scene: Scene) -> list[str]:
    """No result counts that Kit, or one phone, alone said."""
    settled = Match.objects.filter(round__stage__tournament=scene.event_id).exclude(accepted_report=None)
    return ["a result counts"] * settled.exists()


def no_word_of_issuer(scene: Scene) -> list[str]:
    """Nothing is stored for a match by a link or code of somebody who plays it."""
    players = set(scene.held.entries.values_list("members__person__user", flat=True)) - {None}
    words = [(each.issuer, "report") for match in matches(scene) for each in match.reports.all()]
    words += [
        (act.issuer, act.name) for match in matches(scene) for each in match.reports.all() for act in each.acts.all()
    ]
    return [f"a {word} by what a player made" for issuer, word in words if issuer in players]


def matches(scene: Scene) -> list[Match]:
    loaded = Match.objects.select_related("round__stage__tournament")
    return list(loaded.filter(round__stage__tournament=scene.event_id))


def no_link_for_opponent(scene: Scene) -> list[str]:
    """A scorekeeper makes no link for somebody they are paired with."""
    paired = Round.objects.filter(stage__tournament=scene.event_id).first()
    late = PersonalLink.objects.filter(scope=scene.held.stream, issued_by=account("kit").user)
    return ["a link for the own opponent"] * (
        paired is not None and late.filter(created_at__gt=paired.paired_at).exists()
    )


def one_seat_a_phone(scene: Scene) -> list[str]:
    """A phone spoke for one seat alone, and never agreed to what it had said itself."""
    seats: dict[str, set[int]] = {}
    for match in matches(scene):
        said = [(each.actor, each.by_seat_id) for each in match.reports.all()]
        said += [(each.actor, each.seat_id) for each in match.placements.all()]
        said += [(act.actor, -(each.by_seat_id or 0)) for each in match.reports.all() for act in each.acts.all()]
        for actor, seat in said:
            if actor.startswith("table:"):
                seats.setdefault(actor.split(":")[2], set()).add(seat or 0)
    return [f"a phone spoke for {len(each)} seats" for each in seats.values() if len(each) > 1]


def none_back(scene: Scene) -> list[str]:
    """What the organiser ended stays ended, and acts no more."""
    broken = [f"{each} is back" for each in sorted(scene.ended & (live_links(scene) | live_codes(scene)))]
    newest = LedgerEntry.objects.filter(stream=scene.held.stream).order_by("-sequence").first()
    by_link = newest and PersonalLink.objects.filter(pk=newest.subjects.get("link", 0)).exclude(revoked_at=None)
    by_table = newest and newest.actor.startswith("table:") and TableCode.objects.filter(
        pk=newest.actor.split(":")[1]
    ).exclude(revoked_at=None)  # fmt: skip
    return broken + ["what was revoked acted"] * bool(
        (by_link and by_link.exists()) or (by_table and by_table.exists())
    )


def all_of(*checks: Check) -> Check:
    """Several checks in one."""
    return lambda scene: [broken for check in checks for broken in check(scene)]


not_kits = all_of(nothing_shown, nothing_settled, no_word_of_issuer)
