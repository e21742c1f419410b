"""The public pages of a game's rules: every clause, what each format asks, the card lists in force and to come."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts.http.access import access
from decks.forms.card_lists import ListSearchForm
from decks.models import CardSet
from decks.selectors.card_lists import ListDifference, ListGroup, announced_of_game, differences, group_list
from decks.selectors.cards import cards_of
from decks.selectors.clauses import list_terms
from decks.selectors.house_formats import HOUSE_PREFIX, version_at
from decks.selectors.legality import format_at, house_rules
from decks.web.rule_words import Ask, asks_of
from journal.clock import database_now
from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList, LegalSets, newest_lists
from rules_engine.game import GameFormat, GameSystem, RuleSection
from rules_engine.legality import SITE_CLAUSES
from rules_engine.messages import gettext_noop
from rules_engine.systems import get_system


@dataclass(frozen=True, slots=True)
class ListView:
    """A version of a list for reading; `changes` are those to the version before, for one to come."""

    card_list: CardList
    groups: tuple[ListGroup, ...]
    changes: tuple[ListDifference, ...] = ()


@dataclass(frozen=True, slots=True)
class FormatView:
    """A format for reading: what it asks, its lists in force and to come."""

    game_format: GameFormat
    asks: tuple[Ask, ...]
    in_force: tuple[ListView, ...]
    coming: tuple[ListView, ...]

    @property
    def has_lists(self) -> bool:
        """Whether there is a list to search."""
        return bool(self.in_force or self.coming)


@access("public")
@require_safe
def rules_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /rules/<game>/?q=…: every clause under its id, every format with its lists. NotFound "unknown_game"."""
    system = get_system(game)
    today, words = database_now().date(), _words(request)
    rows, cards, sets = announced_of_game(game), cards_of(game), set_names(game, system.formats)
    lists: Mapping[str, Sequence[CardList]] = {
        each.slug: [value for slug, value in rows if slug == each.slug] for each in system.formats
    }
    formats = [format_view(each, lists[each.slug], today, cards, sets, words) for each in system.formats]
    sections = rules_of(system)
    context = {
        "system": system,
        "sections": sections,
        "terms": list_terms((clause for each in sections for clause in each.clauses), gettext),
        "formats": formats,
        "known": cards,
        "hits": count_listed(formats),
        "searchable": any(each.has_lists for each in formats),
        "form": ListSearchForm(request.GET),
        "words": words,
    }
    return render(request, "decks/rules.html", context)


@access("public")
@require_safe
def format_page(request: HttpRequest, game: str, format_slug: str) -> HttpResponse:
    """GET /rules/<game>/<format>/?q=…: a house format with its own clauses; others stand on the game's page.

    NotFound "unknown_game", "unknown_format".
    """
    if not format_slug.startswith(HOUSE_PREFIX):
        format_at(game, format_slug)
        return redirect(f"{reverse('rules', args=[game])}#format-{format_slug}")
    system, today, words, cards = get_system(game), database_now().date(), _words(request), cards_of(game)
    version = version_at(game, format_slug, today)
    house = version.house_format
    base = [value for slug, value in announced_of_game(game) if slug == house.base]
    rules = house_rules(version, base)
    own = tuple(clause for clause in rules.game_format.clauses if clause not in system.clauses)
    view = format_view(rules.game_format, rules.lists, today, cards, set_names(game, [rules.game_format]), words)
    later = [each for each in house.versions.order_by("number") if each.number > version.number]
    context = {
        "system": system,
        "house": house,
        "version": version,
        "base": system.get_format(house.base),
        "clauses": own,
        "view": view,
        "known": cards,
        "hits": count_listed([view]),
        "later": later,
        "today": today,
        "searchable": view.has_lists,
        "form": ListSearchForm(request.GET),
        "words": words,
    }
    return render(request, "decks/house_rules.html", context)


def rules_of(system: GameSystem) -> tuple[RuleSection, ...]:
    """The sections of a game's rules; one more says what this site checks besides, where it checks decks."""
    site = RuleSection(gettext_noop("Checked by this site"), SITE_CLAUSES)
    return (*system.rules, site) if any(each.checks_decks for each in system.formats) else system.rules


def count_listed(views: Iterable[FormatView]) -> int:
    """How many cards the lists shown name, each once."""
    lists = (each for view in views for each in (*view.in_force, *view.coming))
    return len({listing.name for each in lists for group in each.groups for listing in group.listings})


def _words(request: HttpRequest) -> str:
    form = ListSearchForm(request.GET)
    return str(form.cleaned_data["q"]) if form.is_valid() else ""


def set_names(game: str, formats: Iterable[GameFormat]) -> Mapping[str, str]:
    """Names of the game's card sets by slug; no query where no format asks for sets."""
    asked = any(isinstance(rule, LegalSets) for each in formats for rule in each.constraints)
    return dict(CardSet.objects.filter(game=game).values_list("slug", "name")) if asked else {}


def format_view(
    game_format: GameFormat,
    lists: Sequence[CardList],
    today: date,
    cards: Mapping[str, CardFacts],
    sets: Mapping[str, str],
    words: str = "",
) -> FormatView:
    """A format with its announced `lists` of all days, parted into those in force and those to come."""
    variants = game_format.variants
    in_force = [ListView(each, group_list(each, cards, variants, words)) for each in newest_lists(lists, today)]
    coming = []
    for value in sorted((each for each in lists if each.valid_from > today), key=lambda each: each.valid_from):
        earlier = [each for each in lists if each.slug == value.slug and each.valid_from < value.valid_from]
        before = next(iter(newest_lists(earlier, value.valid_from)), None)
        changes = differences(before, value, cards, variants)
        coming.append(ListView(value, group_list(value, cards, variants, words), changes))
    return FormatView(game_format, asks_of(game_format, sets), tuple(in_force), tuple(coming))
