"""Answers about re-checks: what is to be judged, how far it is, what will fall. Who asks is for the callers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.models import Person
from decks.models import CardList, DeckVersion, HouseFormat, Recheck, RecheckResult
from decks.selectors.house_formats import HOUSE_PREFIX, newest_version, version_at
from decks.selectors.legality import Rules, announced_lists, house_rules, list_value
from rules_engine.constraints import newest_lists
from rules_engine.errors import NotFound, needed
from rules_engine.repair import Change
from rules_engine.systems import get_system


@dataclass(frozen=True, slots=True)
class VariantCounts:
    """Numbers of decks (as they stand) and of frozen versions, by what the list does to them in one variant."""

    variant: str
    decks_legal: int
    decks_falling: int
    decks_rising: int
    decks_illegal: int
    frozen_legal: int
    frozen_falling: int
    frozen_rising: int
    frozen_illegal: int


@dataclass(frozen=True, slots=True)
class FallingDeck:
    """A deck version that is legal until `card_list` takes effect, and the cure, in one variant ("" without any)."""

    version: DeckVersion
    card_list: CardList
    variant: str
    repair: tuple[Change, ...] | None


def formats_touched(card_list: CardList) -> tuple[str, ...]:
    """Slugs of the formats that a list holds for: its own, and house formats made from it that keep its lists."""
    made = HouseFormat.objects.filter(game=card_list.game, base=card_list.format).prefetch_related("versions")
    return (card_list.format, *(house.slug for house in made if _keeps_lists(house, card_list.valid_from)))


def _keeps_lists(house: HouseFormat, day: date) -> bool:
    versions = list(house.versions.all())
    version = newest_version(versions, day) or versions[0]
    return bool(version.changes["keeps_lists"])


def versions_to_judge(card_list: CardList, as_of: datetime) -> QuerySet[DeckVersion]:
    """Of decks that the list holds for the newest version, if the owner keeps the deck, and every frozen one."""
    later = DeckVersion.objects.filter(deck=OuterRef("deck"), number__gt=OuterRef("number"), created_at__lte=as_of)
    of_format = DeckVersion.objects.filter(
        deck__game=card_list.game, deck__format__in=formats_touched(card_list), created_at__lte=as_of
    )
    kept = Q(deck__hidden_at=None) | Q(deck__hidden_at__gt=as_of)
    return of_format.filter(Q(frozen_at__lte=as_of) | (kept & ~Exists(later)))


def open_versions(recheck: Recheck) -> QuerySet[DeckVersion]:
    """The versions of a re-check that have no result yet, by id."""
    judged = RecheckResult.objects.filter(recheck=recheck, version=OuterRef("pk"))
    return versions_to_judge(recheck.card_list, recheck.requested_at).filter(~Exists(judged)).order_by("pk")


def find_recheck(public_id: str) -> Recheck:
    """A re-check with its list; NotFound "no_recheck"."""
    found = Recheck.objects.filter(public_id=public_id).select_related("card_list", "requested_by").first()
    return needed(found, NotFound("no_recheck", _("There is no such re-check.")))


def find_running(recheck_pk: int) -> Recheck | None:
    """A re-check that is neither finished nor cancelled, with its list and entries."""
    running = Recheck.objects.filter(pk=recheck_pk, finished_at=None, cancelled_at=None)
    return running.select_related("card_list").prefetch_related("card_list__entries").first()


def rules_around(card_list: CardList, format_slug: str) -> tuple[Rules, Rules]:
    """The rules of a format on the day on which the list takes effect: without this version of it, and with it."""
    game, day = card_list.game, card_list.valid_from
    without = announced_lists(game, card_list.format, day, without=card_list.pk)
    with_it = newest_lists((*without, list_value(card_list)), day)
    if format_slug.startswith(HOUSE_PREFIX):
        version = version_at(game, format_slug, day)
        return house_rules(version, without), house_rules(version, with_it)
    game_format = get_system(game).get_format(format_slug)
    return Rules(game_format, without), Rules(game_format, with_it)


def judged_count(recheck: Recheck) -> int:
    """How many deck versions have been judged."""
    return RecheckResult.objects.filter(recheck=recheck).order_by().values("version").distinct().count()


def counts_of(recheck: Recheck) -> tuple[VariantCounts, ...]:
    """What a re-check found so far, in numbers only; one query."""
    as_of = recheck.requested_at
    later = DeckVersion.objects.filter(
        deck=OuterRef("version__deck"), number__gt=OuterRef("version__number"), created_at__lte=as_of
    )
    stands, frozen = Q(stands=True), Q(version__frozen_at__lte=as_of)
    legal, falls = Q(legal_before=True, legal_after=True), Q(legal_before=True, legal_after=False)
    rises, illegal = Q(legal_before=False, legal_after=True), Q(legal_before=False, legal_after=False)
    rows = (
        RecheckResult.objects.filter(recheck=recheck)
        .annotate(stands=~Exists(later))
        .values("variant")
        .annotate(
            decks_legal=Count("pk", filter=legal & stands),
            decks_falling=Count("pk", filter=falls & stands),
            decks_rising=Count("pk", filter=rises & stands),
            decks_illegal=Count("pk", filter=illegal & stands),
            frozen_legal=Count("pk", filter=legal & frozen),
            frozen_falling=Count("pk", filter=falls & frozen),
            frozen_rising=Count("pk", filter=rises & frozen),
            frozen_illegal=Count("pk", filter=illegal & frozen),
        )
        .order_by("variant")
    )
    return tuple(VariantCounts(**row) for row in rows)


def falling_decks(persons: Person | Iterable[Person] | QuerySet[Person], now: datetime) -> tuple[FallingDeck, ...]:
    """The player's decks that, as they are, are legal until an announced list takes effect; two queries.

    Ordered by the day of the list, then by deck. A deck changed since it was judged is not among them.
    """
    owners = [persons] if isinstance(persons, Person) else persons
    newest = DeckVersion.objects.filter(deck=OuterRef("version__deck")).order_by("-number").values("pk")[:1]
    fallen = _falling(now.date()).filter(version__deck__owner__in=owners, version=Subquery(newest))
    fallen = fallen.filter(version__deck__hidden_at=None)
    return _as_falling(fallen)


def falls_of(version: DeckVersion, now: datetime) -> tuple[FallingDeck, ...]:
    """What announced lists to come do to one version of an own deck, in every variant in which it falls; one query."""
    return _as_falling(_falling(now.date()).filter(version=version))


def results_for(
    version_ids: Iterable[int], on_date: date, now: datetime, variant: str = ""
) -> Mapping[int, tuple[FallingDeck, ...]]:
    """By version id what announced lists that take effect after today and by `on_date` do to it; two queries.

    For staff who may read those decks: of an event on `on_date`, played in `variant` ("" is the format's first).
    Versions that stay legal are not there.
    """
    found: dict[int, tuple[FallingDeck, ...]] = {}
    results = _falling(now.date()).filter(recheck__card_list__valid_from__lte=on_date)
    for each in _as_falling(results.filter(version__in=version_ids)):
        if each.variant == (variant or _first_variant(each.card_list)):
            found[each.version.pk] = (*found.get(each.version.pk, ()), each)
    return found


def _falling(today: date) -> QuerySet[RecheckResult]:
    """Results of the newest re-check of each announced list to come, of versions that fall."""
    rechecks = Recheck.objects.filter(card_list=OuterRef("recheck__card_list"), cancelled_at=None)
    return RecheckResult.objects.filter(
        recheck__card_list__state=CardList.State.ANNOUNCED,
        recheck__card_list__valid_from__gt=today,
        recheck=Subquery(rechecks.order_by("-requested_at", "-pk").values("pk")[:1]),
        legal_before=True,
        legal_after=False,
    )


def _as_falling(results: QuerySet[RecheckResult]) -> tuple[FallingDeck, ...]:
    rows = results.select_related("version__deck", "recheck__card_list")
    rows = rows.defer("version__entries", "version__source_text")
    rows = rows.order_by("recheck__card_list__valid_from", "version__deck__name", "version", "variant")
    return tuple(FallingDeck(row.version, row.recheck.card_list, row.variant, _repair(row)) for row in rows)


def _repair(row: RecheckResult) -> tuple[Change, ...] | None:
    return None if row.repair is None else tuple(Change(**change) for change in row.repair)


def _first_variant(card_list: CardList) -> str:
    """The variant that counts where none is named; house formats have those of their base."""
    variants = get_system(card_list.game).get_format(card_list.format).variants
    return variants[0].slug if variants else ""
