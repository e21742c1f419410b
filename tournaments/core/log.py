"""The log of an event, with the names behind its ids looked up: a constant number of queries a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person, User
from journal.models import LedgerEntry
from tournaments.core.round_names import round_name
from tournaments.models import Entry, Match, Round, Tournament
from tournaments.permissions import JUDGE, roles_of

NEED = "need.changed"
"""The act about a person's needs; whose and which stands among its personal values."""
PENALTIES = ("penalty.given", "penalty.carried", "penalty.taken_back")
"""The acts about penalties; kind, infraction and notes stand among their personal values."""
ALLOWED = "deck.allowed"
"""The act about a deck that is played although it is not legal; whose stands among its personal values."""
OF_JUDGES = (
    Q(act__startswith="result.")
    | Q(act__startswith="match.")
    | Q(act__startswith="call.")
    | Q(act__startswith="announcement.")
    | Q(act__startswith="sheet.")
    | Q(act__startswith="deck.")
    | Q(act__in=[NEED, *PENALTIES])
)
"""The acts that a judge who does not organise may read (docs/how-it-works/trust.md#access)."""
TELLING = frozenset({ALLOWED, "deck.checked", "deck.read", "deck.replaced", "deck.reopened"})
"""The acts whose notes and reasons may tell what is in a list, or whose is not legal."""


@dataclass(frozen=True, slots=True)
class Names:
    """What ids in the log stand for: actors by key, accounts by id, entries by number, rounds by match.

    `called` are the rounds that have a name, by their number.
    """

    actors: Mapping[str, str]
    users: Mapping[int, str]
    entries: Mapping[int, str]
    rounds: Mapping[int, int]
    called: Mapping[int, str]


def log_of(tournament: Tournament, *, whole: bool) -> QuerySet[LedgerEntry]:
    """The entries of an event's stream, newest first; without `whole` those about matches and decks alone."""
    entries = LedgerEntry.objects.filter(stream=tournament.stream).order_by("-sequence")
    return (entries if whole else entries.filter(OF_JUDGES)).prefetch_related("personal_values")


def withheld_from(actor: Actor, tournament: Tournament, now: datetime) -> frozenset[str]:
    """The acts that the actor is shown without their notes and reasons: judges alone read those of secret lists."""
    published_at = tournament.decks_published_at
    is_public = published_at is not None and published_at <= now
    return frozenset() if is_public or JUDGE in roles_of(actor, tournament) else TELLING


def stated_in(entry: LedgerEntry) -> Mapping[str, int | str | None]:
    """What an entry is about; of some acts from the personal values too, as far as they were not erased."""
    if entry.act in (*PENALTIES, ALLOWED):
        return {**entry.subjects, **{each.key: each.value for each in entry.personal_values.all()}}
    if entry.act != NEED:
        stated: Mapping[str, int | str | None] = entry.subjects
        return stated
    values = {each.key: each.value for each in entry.personal_values.all()}
    return {key: int(value) if key in ("entry", "other") else value for key, value in values.items()}


def names_in(tournament: Tournament, entries: Sequence[LedgerEntry]) -> Names:
    """The names that a page of the log needs; six queries."""
    keys = {entry.actor for entry in entries}
    users = {*_ids(keys, "user:"), *(int(entry.subjects.get("user") or 0) for entry in entries)}
    people = Person.objects.filter(pk__in=_ids(keys, "person:")).values_list("pk", "name")
    accounts = {user.pk: user.get_full_name() for user in User.objects.filter(pk__in=users)}
    stated = [stated_in(entry) for entry in entries]
    numbers = {number for each in stated for key in ("entry", "other") if (number := each.get(key)) is not None}
    matches = {entry.subjects.get("match") for entry in entries} - {None}
    bracket_rounds = Round.objects.filter(stage__tournament=tournament).exclude(levels=[])
    actors = {f"person:{pk}": name for pk, name in people} | {f"user:{pk}": name for pk, name in accounts.items()}
    return Names(
        actors=actors | _tables(tournament, keys),
        users=accounts,
        entries=dict(Entry.objects.filter(tournament=tournament, number__in=numbers).values_list("number", "name")),
        rounds=dict(Match.objects.filter(pk__in=matches).values_list("pk", "round__number")),
        called={each.number: round_name(each) for each in bracket_rounds.select_related("stage__tournament")},
    )


def _tables(tournament: Tournament, keys: set[str]) -> dict[str, str]:
    """Who acted by the code on a table, and on which device: “Table 12 (k3f9)”."""
    parts = {key: key.split(":")[1:] for key in keys if key.startswith("table:")}
    codes = tournament.table_codes.filter(pk__in={int(code) for code, _phone in parts.values()})
    numbers = dict(codes.values_list("pk", "table_number"))
    return {
        key: _("Table %(number)s (phone %(phone)s)") % {"number": numbers.get(int(code), "?"), "phone": phone[:4]}
        for key, (code, phone) in parts.items()
    }


def _ids(keys: set[str], prefix: str) -> set[int]:
    return {int(key.removeprefix(prefix)) for key in keys if key.startswith(prefix)}
