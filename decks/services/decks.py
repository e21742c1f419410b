"""Decks: read what a player pasted, keep it in versions, judge a version."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _

from accounts.models import Person
from decks.digests import digest_of, digest_of_list
from decks.formats.reading import Notice, Reading
from decks.formats.registry import read_any, write
from decks.models import Deck, DeckVersion, LegalityCheck
from decks.selectors.cards import cards_of
from decks.selectors.legality import Pinned, Rules, rules_at
from decks.selectors.settings import setting_of
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict

MAX_DECKS = 1000
"""Decks of one person that are not deleted: more than anybody plays, few enough to list."""
CHECKS_A_BATCH = 200


@dataclass(frozen=True, slots=True)
class CleanList:
    """A text of which no line is unread, the decklist that it is in a game's format, and how it calls the deck.

    `notices` say what was assumed while reading.
    """

    game: str
    format: str
    text: str
    decklist: Decklist
    name: str = ""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a deck is judged by: a format on a day, a variant ("" for the first), the pinned lists if there are any."""

    game: str
    format: str
    on_date: date
    variant: str = ""
    pinned: Pinned | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the terms it was given on, and the lists that were in force (as `list_references` makes them)."""

    verdict: Verdict
    terms: Terms
    lists: list[dict[str, str]]


def read_decklist(text: str, game: str, format_slug: str, file_name: str = "") -> Reading:
    """Read a decklist in whatever format against the cards of `game`: cards, problems with line numbers, notices.

    `file_name` helps to tell the format where the text alone does not. DomainError `no_decklists` when the format has
    no decks; NotFound for an unknown game or format.
    """
    setting = setting_of(game, format_slug)
    if not setting.game_format.checks_decks:
        raise DomainError("no_decklists", _("This game is played here without decklists."), game=game)
    return read_any(clean_text(text), setting, file_name)


def write_decklist(decklist: Decklist, key: str, game: str, format_slug: str, name: str = "") -> str:
    """The decklist in one of the export formats (`decks.formats.registry.EXPORTS`); NotFound `unknown_export`."""
    return write(decklist, key, setting_of(game, format_slug), name)


def clean_text(text: str) -> str:
    """The text without what no database can store (NUL and lone surrogates)."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "")


def read_cleanly(text: str, game: str, format_slug: str) -> CleanList:
    """What `text` says, read once; DomainError `unread_lines` with the numbers of such lines in `details["lines"]`."""
    reading = read_decklist(text, game, format_slug)
    if reading.problems:
        lines = [problem.line for problem in reading.problems]
        raise DomainError("unread_lines", _("Some lines of the decklist couldn't be read."), lines=lines)
    return CleanList(game, format_slug, clean_text(text), reading.decklist, reading.name, reading.notices)


@in_transaction
def save_version(actor: str, deck: Deck, text: str, now: datetime) -> DeckVersion:
    """Keep what `text` says as the newest version of a deck: `read_cleanly`, then `save_list`."""
    return save_list(actor, deck, read_cleanly(text, deck.game, deck.format), now)


@in_transaction
def save_list_as(
    actor: str, owner: Person, name: str, clean: CleanList, now: datetime, role: str = "owner"
) -> DeckVersion:
    """Keep a list as the newest version of the owner's deck `name`, which is created on first use.

    Without a `name` the deck is called what the list calls it.

    `actor` is an `Actor.key`, `role` what the actor is to the deck. DomainError `too_many_decks`, `deck_name_too_long`.
    """
    name = deck_name(name if name.strip() else clean.name)
    key = {"owner": owner, "game": clean.game, "format": clean.format, "name": name, "hidden_at": None}
    if not Deck.objects.filter(**key).exists():
        expect_room(owner)
    deck, _created = Deck.objects.get_or_create(**key, defaults={"created_at": now})
    return save_list(actor, deck, clean, now, role)


@in_transaction
def save_list(actor: str, deck: Deck, clean: CleanList, now: datetime, role: str = "owner") -> DeckVersion:
    """Keep a list as the newest version of a deck; the same cards as in the newest one change nothing and give that."""
    deck = Deck.objects.select_for_update(of=("self",)).get(pk=deck.pk)
    newest = deck.versions.order_by("-number").first()
    if newest is not None and newest.decklist == clean.decklist:
        return newest
    version = _add_version(deck, newest.number + 1 if newest else 1, clean, now)
    subjects = {"deck": deck.pk, "version": version.pk, "number": version.number, "person": deck.owner_id}
    rows = [("deck_version", str(version.pk))]
    record(f"deck:{deck.public_id}", "deck.saved", actor, role, now, subjects, rows=rows)
    return version


def expect_room(owner: Person) -> None:
    """DomainError `too_many_decks` where a person keeps as many decks as one may."""
    if Deck.objects.filter(owner=owner, hidden_at=None).count() >= MAX_DECKS:
        text = _("You have too many decks. Delete some, or use the name of one you have.")
        raise DomainError("too_many_decks", text, limit=MAX_DECKS)


def deck_name(name: str) -> str:
    """The name a deck gets; DomainError `deck_name_too_long`."""
    name = clean_text(name).strip() or _("My deck")
    if len(name) > MAX_NAME_LENGTH:
        raise DomainError("deck_name_too_long", _("The name of the deck is too long."), limit=MAX_NAME_LENGTH)
    return name


def _add_version(deck: Deck, number: int, clean: CleanList, now: datetime) -> DeckVersion:
    entries = [{"name": each.name, "count": each.count, "section": each.section} for each in clean.decklist.entries]
    return DeckVersion.objects.create(
        deck=deck,
        number=number,
        entries=entries,
        digest=digest_of(entries),
        source_text=clean.text,
        created_at=now,
    )


@in_transaction
def freeze_version(version: DeckVersion, now: datetime) -> DeckVersion:
    """Mark that an event relies on this version; the first time counts, later ones change nothing."""
    DeckVersion.objects.filter(pk=version.pk, frozen_at=None).update(frozen_at=now)
    version.refresh_from_db(fields=["frozen_at"])
    return version


@in_transaction
def check_versions(versions: Sequence[DeckVersion], terms: Terms, now: datetime) -> list[Judgement]:
    """Judge versions on the same terms and keep the verdicts; as many queries for many as for one."""
    judgements = judge_all([version.decklist for version in versions], terms)
    keep_judgements(zip(versions, judgements, strict=True), now)
    return judgements


def judge_all(decklists: Sequence[Decklist], terms: Terms) -> list[Judgement]:
    """The judgement of each decklist, not stored; a constant number of queries.

    NotFound `unknown_game`, `unknown_format`, `unknown_variant`.
    """
    rules = rules_at(terms.game, terms.format, terms.on_date, terms.pinned)
    cards = cards_of(terms.game) if rules.game_format.checks_decks else {}
    lists = _references_to(rules) if rules.game_format.checks_decks else []
    verdicts = (rules.judge(each, cards, terms.on_date, terms.variant) for each in decklists)
    return [Judgement(verdict, terms, lists) for verdict in verdicts]


def keep_judgements(judged: Iterable[tuple[DeckVersion, Judgement]], now: datetime) -> None:
    checks = [_check_of(version, judgement, now) for version, judgement in judged]
    LegalityCheck.objects.bulk_create(checks, batch_size=CHECKS_A_BATCH)


def _check_of(version: DeckVersion, judgement: Judgement, now: datetime) -> LegalityCheck:
    report, repair = judgement.verdict.report, judgement.verdict.repair
    return LegalityCheck(
        version=version,
        format=judgement.terms.format,
        variant=report.variant,
        on_date=judgement.terms.on_date,
        lists=judgement.lists if report.checked else [],
        legal=report.legal,
        report=report.as_data(),
        repair=None if repair is None else [asdict(change) for change in repair],
        checked_at=now,
    )


def list_references(game: str, format_slug: str, on_date: date, pinned: Pinned | None = None) -> list[dict[str, str]]:
    """What is in force on that day as plain values to store, so that it can be pinned.

    Of each card list slug, valid_from and digest; of a house format also its slug and the `number` of its version.
    """
    return _references_to(rules_at(game, format_slug, on_date, pinned))


def _references_to(rules: Rules) -> list[dict[str, str]]:
    references = [
        {"slug": each.slug, "valid_from": each.valid_from.isoformat(), "digest": digest_of_list(each)}
        for each in rules.lists
    ]
    if version := rules.house_version:
        house = {"slug": rules.game_format.slug, "number": str(version.number), "digest": digest_of(version.changes)}
        references.append({**house, "valid_from": version.valid_from.isoformat()})
    return references
