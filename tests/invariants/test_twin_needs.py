"""Twin worlds of needs: a fixed table, private needs, or two kept apart, change no answer to whom they do not concern.

See docs/how-it-works/trust.md#access.

As in `test_twin_worlds`, every route is asked in two worlds, here before any round is paired: afterwards the table of
a match is public. The event is built once; what is done for Ada is done in one of its twins and taken back. Officials
and the player must see a difference, and a scorekeeper too once the guard is taken out.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import pytest
from django.test import Client

from accounts.identity.keys import issue_api_token
from accounts.models import PersonalLink, User
from journal.clock import database_now
from tests.invariants.test_twin_worlds import (  # noqa: F401
    METHODS,
    Caller,
    World,
    differences,
    turn_of,
    without_guard,
)
from tests.tournaments.factories import NOW, account, entry, event, staff
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.entries.services.pairing_constraints import award_byes, fix_table, keep_apart, note_needs
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.events.services.staff import invite_staff
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Entry, EntryMember, Role, Round, StaffInvite
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.rounds.services.rounds import ManualPairing, enter_pairings, pair_next_round, publish_round

pytestmark = pytest.mark.django_db

STRANGERS = ("nobody", "mallory", "ben", "guest", "late", "kit", "root")
"""As in the worlds of decks; `late` came by a link to the player herself that staff made after the table was fixed."""

WHO_POST = ("guest", "kit", "late")
WITHOUT_BYES = ("nobody", "mallory", "ben", "guest")
"""Those to whom byes to come are no business either."""


@dataclass(frozen=True, slots=True)
class Needing:
    """What is done for a member in one world."""

    acts: tuple[Callable[[Entry], object], ...] = ()

    def write(self, member: EntryMember) -> None:
        """Do it through the services, with everything that they leave in the database."""
        for act in self.acts:
            act(Entry.objects.get(pk=member.entry_id))


def has_table(ada: Entry) -> None:
    fix_table(account("olive"), ada, 7, NOW)


def never_meets_ben(ada: Entry) -> None:
    keep_apart(account("olive"), ada, entry(ada.tournament, "ben"), "family", NOW)


def has_private_needs(ada: Entry) -> None:
    note_needs(account("olive"), ada, Entry.Need.values, 10, NOW)


def needs_a_place(ada: Entry) -> None:
    note_needs(account("olive"), ada, [Entry.Need.DOOR, Entry.Need.QUIET], 0, NOW)


def is_seated(ada: Entry) -> None:
    """Paired by the needs of now, at the only table, which meets them, and published."""
    olive = account("olive")
    award_byes(olive, entry(ada.tournament, "Ben"), [1], NOW)
    tournament = start_tournament(olive, ada.tournament, NOW)
    update_settings(olive, tournament, {"door_tables": "1", "quiet_tables": "1-9"}, NOW)
    publish_round(olive, pair_next_round(olive, tournament, NOW, seed=1), NOW)


def has_byes(ada: Entry) -> None:
    award_byes(account("olive"), ada, [1, 2], NOW)


def beside(world: World, *acts: Callable[[Entry], object], after: tuple[Callable[[Entry], object], ...] = ()) -> World:
    """The same world, in one of whose twins these acts were done for Ada; what comes after is done in both."""
    return World(world.secret, world.values, (Needing(after), Needing((*acts, *after))), world.body)


@pytest.fixture(scope="module")
def at_the_door(shared_db) -> World:
    """An event open for registration."""
    return built_world()


@pytest.fixture(scope="module")
def in_round_one(shared_db) -> World:
    """The same in round 1."""
    return played_world()


def built_world() -> World:
    """An event open for registration, both of whose twins are alike."""
    if not User.objects.filter(username="root").exists():
        User.objects.create_superuser("root", password="asked for before the key of a second factor is shown")
    tournament = event(2, self_sign_up=True)
    sign_up(account("ben"), tournament, account("ben").person, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, database_now())
    secret = entry(tournament, "Ada").members.get()
    numbers = [str(entry(tournament, name).number) for name in ("Ada", "ben")]
    absent = (
        "match_id", "round_id", "change_id", "pk", "uidb36", "public_id", "deck_id", "key", "token", "penalty_id",
        "person_id", "event_id", "announcement_id", "call_id", "act", "league", "l/ slug", "digest", "place", "page",
        "claim", "claim_id", "token_id", "webhook_id", "replay_id", "list_id", "recheck_id",
    )  # fmt: skip
    values = {
        **{name: ["1"] for name in absent},
        "run_id": ["00000000-0000-4000-8000-000000000000"],
        "job_id": ["00000000-0000-4000-8000-000000000000"],
        "player_id": ["none"],
        "slug": [tournament.slug],
        "cards/ slug": ["doomdesk-sample"],
        "card_set": ["doomdesk-sample"],
        "game": ["doom_pile"],
        **{name: ["standard"] for name in ("format_slug", "game_format", "house_format", "base", "formats/ slug")},
        "number": numbers,
        "role_id": [str(tournament.roles.first().pk)],
        "invite_id": [str(StaffInvite.objects.filter(tournament=tournament, accepted_at=None).get().pk)],
    }
    body = {
        "name": "Twin", "club": "Lantern", "reason": "to look", "act": "withdraw", "text": "Zoe", "fixed_table": 7,
        "extra_minutes": 5, "needs": ["door"],
        "other": numbers[1], "rounds": "1", "round": 1, "q": "a",
    }  # fmt: skip
    return World(secret, values, (Needing(), Needing()), body)


def locks_a_table(ada: Entry) -> None:
    round_ = Round.objects.get(stage__tournament=ada.tournament)
    seen = seen_mark(round_, round_draft_of(round_))
    change_round(account("olive"), round_, Change(Act.LOCK, table=2), "asked", NOW, seen=seen)


def played_world() -> World:
    """The same in round 1, where Ada meets Ben."""
    world = built_world()
    tournament = world.secret.tournament
    register_walk_ins(account("olive"), tournament, [EntryDraft("Cem")], NOW)
    people = [entry(tournament, name) for name in ("Ada", "ben", "Ben", "Cem")]
    start_tournament(account("olive"), tournament, NOW)
    pairs = [ManualPairing(people[0], people[1]), ManualPairing(people[2], people[3])]
    round_ = enter_pairings(account("olive"), tournament, pairs, NOW)
    certificate = asdict(PairingCost())
    Round.objects.filter(pk=round_.pk).update(seed=1, engine="swiss", cost=certificate, bound=certificate, proved=True)
    round_.refresh_from_db()
    publish_round(account("olive"), round_, NOW)
    values = {
        **world.values,
        "round_id": [str(round_.pk)],
        "match_id": [str(match.pk) for match in round_.matches.all()],
    }
    return World(world.secret, values, world.sides, world.body)


def caller_of(world: World, name: str) -> Caller:
    """Somebody of the cast, `own` and `late` by links to Ada made before and after NOW."""
    if name in ("nobody", "guest", "own", "late"):
        browser, now = Client(), NOW if name == "own" else database_now()
        if name != "nobody":
            whose = "Ben" if name == "guest" else "Ada"
            token = issue_entry_link(account("olive"), entry(world.secret.tournament, whose), now)
            PersonalLink.objects.update(expires_at=None)  # NOW is long ago, and links end
            browser.get(f"/p/{token}/")
        return Caller(name, browser, "")
    actor, browser = account(name), Client()
    browser.force_login(actor.user)
    return Caller(name, browser, issue_api_token(actor.user, actor, database_now())[1])


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", STRANGERS)
def test_a_need_changes_no_answer_to_a_stranger(at_the_door, name, many, seed):
    """A third of them read each of the event's addresses, one of three sends to it; others by the run's seed.

    With `--long` everybody asks the whole site, by every method and with empty bodies too.
    """
    byes = [has_byes] if name in WITHOUT_BYES else []
    world = beside(at_the_door, has_table, never_meets_ben, has_private_needs, *byes)
    caller, slug = caller_of(world, name), world.secret.tournament.slug
    if many(True, False):
        assert differences(world, caller, asks_twice=True) == []
    elif name in WHO_POST:
        assert differences(world, caller, ("get", "post"), slug, turn_of(name, WHO_POST, seed)) == []
    else:
        assert differences(world, caller, ("get",), slug, turn_of(name, STRANGERS, seed)) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["guest", "kit"])
def test_a_need_changes_no_answer_once_staff_changed_the_round_by_hand(in_round_one, name, many, seed):
    """The cost of what stands counts the needs of now; two who ought never to meet sit at one table here."""
    world = beside(in_round_one, has_table, never_meets_ben, has_private_needs, after=(locks_a_table,))
    found = read_by(name, world, many, seed)
    assert [each for each in found if name != "kit" or "/print/" not in each] == []  # kit prints the slips in large


@pytest.mark.parametrize("name", ["guest", "mallory"])
def test_a_need_that_seated_somebody_changes_no_answer_but_the_table(at_the_door, name, many, seed):
    world = beside(at_the_door, needs_a_place, after=(is_seated,))
    assert read_by(name, world, many, seed) == []


def test_officials_see_who_was_seated_for_a_need(at_the_door):
    world = beside(at_the_door, needs_a_place, after=(is_seated,))
    found = differences(world, caller_of(world, "juno"), ("get",), "/manage/rounds/")
    assert found == [f"juno GET /e/{world.secret.tournament.slug}/manage/rounds/ []"]


def read_by(name: str, world: World, many: Callable[[bool, bool], bool], seed: int) -> list[str]:
    """What a stranger is answered differently at a third of the event's addresses, with `--long` at all of them."""
    caller, slug = caller_of(world, name), world.secret.tournament.slug
    if many(True, False):
        return differences(world, caller, ("get", "post"), slug, asks_twice=True)
    return differences(world, caller, ("get",), slug, turn_of(name, STRANGERS, seed))


def test_officials_see_the_difference_in_a_round_changed_by_hand(in_round_one):
    world = beside(in_round_one, never_meets_ben, after=(locks_a_table,))
    slug = world.secret.tournament.slug
    olive = caller_of(world, "olive")
    assert f"olive GET /api/v1/events/{slug}/rounds/1/ []" in differences(world, olive, ("get",), "/rounds/")
    assert f"olive GET /e/{slug}/pairings/ []" in differences(world, olive, ("get",), "/pairings/")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["olive", "juno"])
@pytest.mark.parametrize("act", [has_table, never_meets_ben, has_private_needs])
def test_officials_see_the_difference(at_the_door, name, act):
    world = beside(at_the_door, act)
    slug, number, official = world.secret.tournament.slug, world.secret.entry.number, caller_of(world, name)
    pages = [f"/e/{slug}/manage/entries/{number}/", f"/e/{slug}/manage/log/"]
    for path in (*pages, f"/api/v1/events/{slug}/entries/{number}/needs/"):
        assert f"{name} GET {path} []" in differences(world, official, ("get",), path)


def test_the_player_sees_the_own_table_and_not_who_is_kept_apart(at_the_door, seed):
    """Of the event's other pages the player reads a third, another by the run's seed."""
    world, apart = beside(at_the_door, has_table), beside(at_the_door, never_meets_ben, has_private_needs)
    own, slug = caller_of(world, "own"), world.secret.tournament.slug
    turn, shown = turn_of("own", ("own",), seed), set()
    for path in (f"/api/v1/events/{slug}/my/needs/", f"/e/{slug}/my/", f"/e/{slug}/register/"):
        shown.add(f"own GET {path} []")
        assert f"own GET {path} []" in differences(world, own, ("get",), path)
        assert differences(apart, own, ("get",), path) == []
    assert set(differences(world, own, ("get",), slug, turn)) <= shown
    assert differences(apart, own, ("get",), slug, turn) == []


def test_staff_see_byes_to_come(at_the_door):
    world = beside(at_the_door, has_byes)
    found = differences(world, caller_of(world, "kit"), ("get",), "/manage/entries/")
    assert any("/manage/entries/ " in each for each in found)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["mallory", "kit"])
@pytest.mark.parametrize("act", [has_table, never_meets_ben, has_private_needs])
def test_the_crawl_of_needs_turns_red_without_the_guard(at_the_door, without_guard, name, act):  # noqa: F811
    without_guard("entry.needs")
    world = beside(at_the_door, act)
    assert differences(world, caller_of(world, name), ("get",), "needs/") != []
