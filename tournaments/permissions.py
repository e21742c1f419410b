"""Who holds which role in a tournament: what the words of accounts/http/permissions.toml mean for events and leagues.

See docs/how-it-works/trust.md#access.

One long module, since who is who is to be read in one place.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _
from rules import add_rule
from rules.predicates import Predicate

from accounts.actors import Actor
from accounts.http.permissions import add_permissions
from accounts.identity.selectors import persons_of
from accounts.models import Person, User
from decks.permissions import RIVALS_LINK
from journal.compiled_queries import compiled_once
from rules_engine.errors import NotAllowed
from tournaments.kept_answers import ROLES, keeps_answers, kept_answer
from tournaments.models import Entry, EntryMember, League, Match, Role, Round, Seat, Tournament

ORGANISER, JUDGE, SCOREKEEPER, PLAYER = Role.Name.ORGANISER, Role.Name.JUDGE, Role.Name.SCOREKEEPER, "player"
HEAD_JUDGE, CHECK_IN, STREAM = Role.Name.HEAD_JUDGE, Role.Name.CHECK_IN, Role.Name.STREAM
STAFF = frozenset({ORGANISER, JUDGE, SCOREKEEPER})
"""Who runs the event. A head judge is a judge, too; check-in helpers and the stream are no staff."""
TABLE = "table"
OVER = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
OF_ISSUER = _(
    "A player in this match created your link or table code. Ask other staff to enter the result, or sign in with "
    "an account."
)
Row = TypeVar("Row")
PRECEDENCE = (ORGANISER, HEAD_JUDGE, JUDGE, SCOREKEEPER, PLAYER, CHECK_IN)


def roles_of(actor: Actor, tournament: Tournament) -> frozenset[str]:
    """The roles an actor holds in a tournament now; asked once a loaded tournament, so gone at the next request."""
    return _staff_roles(actor, tournament) | ({PLAYER} if _plays(actor, tournament) else set())


@dataclass(slots=True)
class _Known:
    """What a loaded tournament knows of an actor; None is not asked yet.

    `entry` is the id of the actor's own entry; `issuers` are, by match, those who made the links by which the actor
    became a player of it.
    """

    staff: frozenset[str] | None = None
    plays: bool | None = None
    entry: int | None = None
    places: list[EntryMember] | None = None
    issuers: dict[int, list[int | None]] = field(default_factory=dict)


def _known_of(actor: Actor, tournament: Tournament) -> _Known:
    memo: dict[tuple[str, str], _Known] = tournament.__dict__.setdefault(ROLES, {})
    return memo.setdefault((actor.key, actor.link_scope), _Known())


def _staff_roles(actor: Actor, tournament: Tournament) -> frozenset[str]:
    known = _known_of(actor, tournament)
    if known.staff is None:
        known.staff = _with_implied(_roles_held(tournament.pk, actor.user.pk) if actor.user else ())
    return known.staff


@compiled_once
def _roles_held(tournament_id: int, user_id: int) -> QuerySet[Role, str]:
    return Role.objects.filter(tournament=tournament_id, user=user_id).order_by().values_list("name", flat=True)


def _with_implied(names: Iterable[str]) -> frozenset[str]:
    """The roles held, with those that they include: a head judge is a judge."""
    held = frozenset(names)
    return held | {JUDGE} if HEAD_JUDGE in held else held


def _plays(actor: Actor, tournament: Tournament) -> bool:
    known = _known_of(actor, tournament)
    if known.plays is None:
        known.plays = _places_of(actor, tournament).exists()
    return known.plays


def annotate_roles(actor: Actor, tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with `is_<role>` for each role on the staff that the actor can hold, and the `own_entry`'s id."""
    held: dict[str, Exists | Subquery] = {}
    if actor.user is not None:
        of_user = Role.objects.filter(tournament=OuterRef("pk"), user=actor.user)
        held |= {f"is_{name}": Exists(of_user.filter(name=name)) for name in Role.Name.values}
    if actor.is_known:
        own = _members_of(actor).filter(tournament=OuterRef("pk")).order_by("order").values("entry_id")
        held["own_entry"] = Subquery(own[:1])
    return tournaments.annotate(**held)


def remember_roles(actor: Actor, found: Tournament) -> Tournament:
    """A tournament found `annotate_roles` of an actor, whose roles are known from now on."""
    known = _known_of(actor, found)
    known.staff = _with_implied(name for name in Role.Name.values if getattr(found, f"is_{name}", False))
    known.entry = getattr(found, "own_entry", None) if is_in_scope(actor, found) else None
    known.plays = known.entry is not None
    return found


def member_of(actor: Actor, tournament: Tournament) -> EntryMember | None:
    """The actor's own place in a tournament, by personal link or as any person of the account; None without one.

    A tournament that keeps answers is asked once.
    """
    known = _known_of(actor, tournament)
    if known.places is None or not keeps_answers(tournament):
        known.places = _own_place(actor, tournament)
        known.plays = bool(known.places)
    return next(iter(known.places), None)


def _own_place(actor: Actor, tournament: Tournament) -> list[EntryMember]:
    if not is_in_scope(actor, tournament):
        return []
    return _asked(_place_of_account, _place_of_person, actor, tournament.pk)


@compiled_once
def _place_of_account(user_id: int, tournament_id: int) -> QuerySet[EntryMember]:
    return _first_place(Actor(User(pk=user_id), None, "session"), tournament_id)


@compiled_once
def _place_of_person(person_id: int, tournament_id: int) -> QuerySet[EntryMember]:
    return _first_place(Actor(None, Person(pk=person_id), "link"), tournament_id)


def _first_place(actor: Actor, tournament_id: int) -> QuerySet[EntryMember]:
    places = _members_of(actor).filter(tournament=tournament_id)
    return places.select_related("entry", "person", "deck_version")[:1]


def entry_id_of(actor: Actor, tournament: Tournament) -> int | None:
    """The id of the actor's own entry, without its row; None without one."""
    known = _known_of(actor, tournament)
    if known.plays is False:
        return None
    if known.entry is not None:
        return known.entry
    if known.places is None:
        return _places_of(actor, tournament).values_list("entry_id", flat=True).first()
    return next((member.entry_id for member in known.places), None)


def withdrawn_entry_of(actor: Actor, tournament: Tournament) -> Entry | None:
    """The entry that the actor withdrew from before the start, or that was left out then; None for anybody else.

    It gives no rights (`member_of` passes over it); its player sees its state.
    """
    if not actor.is_known or not is_in_scope(actor, tournament) or member_of(actor, tournament) is not None:
        return None
    gone = Entry.objects.filter(tournament=tournament, state=Entry.State.WITHDRAWN)
    return gone.filter(members__person__in=persons_of(actor)).order_by("-number").first()


def _places_of(actor: Actor, tournament: Tournament) -> QuerySet[EntryMember]:
    if not actor.is_known or not is_in_scope(actor, tournament):
        return EntryMember.objects.none()
    return _members_of(actor).filter(tournament=tournament)


def _members_of(actor: Actor) -> QuerySet[EntryMember]:
    """The actor's places in all tournaments."""
    return EntryMember.objects.filter(person__in=persons_of(actor)).exclude(entry__state=Entry.State.WITHDRAWN)


def is_in_scope(actor: Actor, tournament: Tournament) -> bool:
    """Whether the actor may act here at all: one who came by another event's personal link may not."""
    return actor.link_scope in ("", tournament.stream)


def check_scope(actor: Actor, tournament: Tournament) -> None:
    """Refuse who came by another event's personal link: NotAllowed "other_event"."""
    if not is_in_scope(actor, tournament):
        raise NotAllowed("other_event", _("Your link is for another event. Sign in with an account."))


def is_at_table(actor: Actor, tournament: Tournament) -> bool:
    """Whether the actor opened the code on a table of this event: a table is nobody everywhere else.

    See docs/how-it-works/trust.md#t.
    """
    return actor.via == "table" and actor.link_scope == tournament.stream


def speaks_for_table(actor: Actor, match: Match) -> bool:
    """Whether the actor opened the code of the table where a match is being played, in a round that is open."""
    round_ = match.round
    is_played = round_.state == Round.State.PUBLISHED and round_.superseded_at is None
    return is_played and is_at_table(actor, round_.stage.tournament) and match.table_number == actor.table_number


def issuer_plays(actor: Actor, match: Match) -> bool:
    """Whether whoever made the link or code that the actor came by plays at this match: it may be they who act.

    Also once an account has taken over a player by a link. Of staff who only look after the match it says nothing.
    """
    tournament = match.round.stage.tournament
    issuer = actor.issuer if is_at_table(actor, tournament) else _issuer_of_player(actor, tournament, match)
    if not issuer or not _has_place(issuer, tournament):
        return False
    return match.seats.filter(entry__members__person__user=issuer).exists()


def _has_place(user: int, tournament: Tournament) -> bool:
    """Whether an account plays at an event; only one that keeps answers is asked, of all at once."""
    return not keeps_answers(tournament) or user in _playing_accounts(tournament)


@kept_answer
def _playing_accounts(tournament: Tournament) -> frozenset[int]:
    """The accounts of all who have a place, by id."""
    users = EntryMember.objects.filter(tournament=tournament, person__user__isnull=False)
    return frozenset(users.order_by().values_list("person__user", flat=True))


def _issuer_of_player(actor: Actor, tournament: Tournament, match: Match) -> int:
    """Who made the link by which an actor became a player of this match, but the actor; 0 for nobody, or no player."""
    if keeps_answers(tournament):
        member, seated = member_of(actor, tournament), {seat.entry_id for seat in match.seats.all()}
        issuers = [member.person.linked_by_id] if member is not None and member.entry_id in seated else []
    else:
        issuers = _issuers_asked(actor, tournament, match)
    if not issuers:
        return 0
    if actor.user is None:
        return actor.issuer
    return 0 if issuers[0] == actor.user.pk else issuers[0] or 0


def _issuers_asked(actor: Actor, tournament: Tournament, match: Match) -> list[int | None]:
    """Who made the links by which an actor became a player of this match, asked once a loaded tournament."""
    known = _known_of(actor, tournament)
    if match.pk not in known.issuers:
        places = _places_at(actor, tournament, match) if is_in_scope(actor, tournament) else []
        known.plays = bool(places)
        known.issuers[match.pk] = [linked_by for linked_by, plays_here in places if plays_here]
    return known.issuers[match.pk]


def _places_at(actor: Actor, tournament: Tournament, match: Match) -> list[tuple[int | None, bool]]:
    """Of each of an actor's places who made the link to it, and whether it is at this match."""
    return _asked(_places_of_account, _places_of_person, actor, tournament.pk, match.pk)


def _asked(
    of_account: Callable[..., list[Row]], of_person: Callable[..., list[Row]], actor: Actor, *keys: int
) -> list[Row]:
    """What one of two compiled queries answers: of the actor's account, or of their person."""
    if actor.user is not None:
        return of_account(actor.user.pk, *keys)
    return of_person(actor.person.pk, *keys) if actor.person is not None else []


@compiled_once
def _places_of_account(user_id: int, tournament_id: int, match_id: int) -> QuerySet[EntryMember, Any]:
    return _with_issuers(Actor(User(pk=user_id), None, "session"), tournament_id, match_id)


@compiled_once
def _places_of_person(person_id: int, tournament_id: int, match_id: int) -> QuerySet[EntryMember, Any]:
    return _with_issuers(Actor(None, Person(pk=person_id), "link"), tournament_id, match_id)


def _with_issuers(actor: Actor, tournament_id: int, match_id: int) -> QuerySet[EntryMember, Any]:
    is_here = Exists(Seat.objects.filter(match=match_id, entry=OuterRef("entry")))
    places = _members_of(actor).filter(tournament=tournament_id).order_by()
    return places.values_list("person__linked_by", is_here)


def check_issuer(actor: Actor, match: Match) -> None:
    """Refuse who came by a link or code made by a player of the match: NotAllowed "issuer_plays"."""
    if issuer_plays(actor, match):
        raise NotAllowed("issuer_plays", OF_ISSUER)


def is_rivals_link(actor: Actor, tournament: Tournament) -> bool:
    """Whether the actor came by a personal link that a person made who plays at this event."""
    if actor.user is not None or not actor.issuer or not _has_place(actor.issuer, tournament):
        return False
    playing = EntryMember.objects.filter(tournament=tournament).exclude(entry__state=Entry.State.WITHDRAWN)
    return playing.filter(person__user=actor.issuer).exists()


def _is_made_by_rival(actor: Actor) -> bool:
    """Whether a person made the actor's personal link who plays at an event of its person, whichever it is for."""
    if actor.user is not None or actor.person is None or not actor.issuer:
        return False
    playing = EntryMember.objects.exclude(entry__state=Entry.State.WITHDRAWN)
    events = playing.filter(person=actor.person).values("tournament")
    return playing.filter(person__user=actor.issuer, tournament__in=events).exists()


def may_see_own_list(actor: Actor, member: EntryMember, registered_at: datetime | None = None) -> bool:
    """Whether a player is shown their list registered then (the newest by default).

    Not to a link or account that came later: staff make links, and an account can take over whom a link names. To no
    link once the player has an account, nor to one made by another player of the event, who could open it too.
    """
    if actor.user is None and (member.person.user_id is not None or is_rivals_link(actor, member.tournament)):
        return False
    registered_at, came = registered_at or member.deck_registered_at, access_since(actor, member)
    return came is None or registered_at is None or came <= registered_at


def access_since(actor: Actor, member: EntryMember) -> datetime | None:
    """When the actor's link to this player was made, or the account took the player over; None for who always was."""
    return member.person.linked_at if actor.user is not None else actor.link_issued_at


def acting_role(actor: Actor, tournament: Tournament) -> str:
    """The weightiest role the actor holds, for the ledger; "system" for commands, "table" for codes, else "guest"."""
    if actor.user is None and actor.via == "command":
        return "system"
    if is_at_table(actor, tournament):
        return TABLE
    held = _staff_roles(actor, tournament)
    if not held & STAFF and _plays(actor, tournament):  # whoever plays too acts as staff
        return PLAYER
    return next((role for role in PRECEDENCE if role in held), "guest")


def is_on_staff(actor: Actor, tournament: Tournament) -> bool:
    """Whether the actor runs the event: organiser, judge or scorekeeper."""
    return not roles_of(actor, tournament).isdisjoint(STAFF)


def is_staff_reporter(actor: Actor, tournament: Tournament, *, plays: bool) -> bool:
    """Whether the actor's word about a match counts at once; where the actor `plays`, only an official's does."""
    held = roles_of(actor, tournament)
    return not held.isdisjoint((ORGANISER, JUDGE)) or (SCOREKEEPER in held and not plays)


def require_staff_reporter(actor: Actor, tournament: Tournament, match: Match) -> None:
    """Refuse a scorekeeper at their own table: NotAllowed "own_match"; the opponent or an official reports there."""
    if is_staff_reporter(actor, tournament, plays=True):
        return  # an official, whoever plays: nothing to ask
    member = member_of(actor, tournament)
    plays = member is not None and match.seats.filter(entry=member.entry_id).exists()
    if not is_staff_reporter(actor, tournament, plays=plays):
        raise NotAllowed("own_match", _("You play this match. Report it as a player."))


def _holds(*names: str) -> Predicate:
    def holds(actor: Actor, tournament: Tournament | None) -> bool:
        return tournament is not None and not roles_of(actor, tournament).isdisjoint(names)

    return Predicate(holds, name="|".join(names))


def _is_visible(actor: Actor, tournament: Tournament | None) -> bool:
    """Drafts are staff's alone, private events staff's and players'."""
    if tournament is None:
        return False
    if tournament.state != Tournament.State.DRAFT and tournament.visibility != Tournament.Visibility.PRIVATE:
        return True
    return bool(roles_of(actor, tournament))


def _has_withdrawn(actor: Actor, tournament: Tournament | None) -> bool:
    """Was entered here before the start, and is not any more."""
    return tournament is not None and withdrawn_entry_of(actor, tournament) is not None


def _is_known(actor: Actor, tournament: Tournament | None) -> bool:
    """Signed in, or here by a personal link."""
    return actor.is_known


def _is_table(actor: Actor, tournament: Tournament | None) -> bool:
    """Came by the code on a table of this event, while the event is not over."""
    return tournament is not None and tournament.state not in OVER and is_at_table(actor, tournament)


def _tables_report(actor: Actor, tournament: Tournament | None) -> bool:
    """The organiser takes results by the codes on the tables."""
    return tournament is not None and tournament.table_reports != Tournament.TableReports.OFF


def _scorekeepers_issue(actor: Actor, tournament: Tournament | None) -> bool:
    """The organiser lets scorekeepers make personal links and codes for tables."""
    return tournament is not None and tournament.scorekeepers_issue


def _shows_outlook(actor: Actor, tournament: Tournament | None) -> bool:
    """What players need is shown to all of them."""
    return tournament is not None and tournament.shows_outlook


def _players_report(actor: Actor, tournament: Tournament | None) -> bool:
    """The organiser lets players report their own matches."""
    return tournament is not None and tournament.players_report


def _runs_league(actor: Actor, league: League | None) -> bool:
    """One of the league's organisers."""
    return league is not None and actor.user is not None and league.organisers.filter(pk=actor.user.pk).exists()


def _is_league_visible(actor: Actor, league: League | None) -> bool:
    """A private league is its organisers' alone."""
    if league is None:
        return False
    return league.visibility != Tournament.Visibility.PRIVATE or _runs_league(actor, league)


is_visible = Predicate(_is_visible)
is_organiser = _holds(ORGANISER)
is_staff = _holds(ORGANISER, JUDGE, SCOREKEEPER)
is_official = _holds(ORGANISER, JUDGE)
runs_league = Predicate(_runs_league)
is_league_visible = Predicate(_is_league_visible)

add_permissions(
    "event",
    {
        "visible": is_visible,
        "known": Predicate(_is_known),
        "organiser": is_organiser,
        "head_judge": _holds(HEAD_JUDGE),
        "judge": _holds(JUDGE),
        "official": is_official,
        "staff": is_staff,
        "check_in": _holds(CHECK_IN),
        "stream": _holds(STREAM),
        "player": _holds(PLAYER),
        "withdrawn": Predicate(_has_withdrawn),
        "table": Predicate(_is_table),
        "tables_report": Predicate(_tables_report),
        "players_report": Predicate(_players_report),
        "scorekeepers_issue": Predicate(_scorekeepers_issue),
        "shows_outlook": Predicate(_shows_outlook),
    },
)
add_permissions("league", {"visible": is_league_visible, "league_organiser": runs_league})
add_rule(RIVALS_LINK, Predicate(_is_made_by_rival))
