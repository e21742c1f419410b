"""What workers do for decks, sent by name; every task may run twice, at once, or be killed half-way."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from celery import shared_task

from decks.models import DeckVersion, Recheck, RecheckResult
from decks.selectors.cards import cards_of
from decks.selectors.legality import Rules
from decks.selectors.rechecks import find_running, open_versions, rules_around
from decks.services.rechecks import batches, finish_recheck, keep_results
from journal.clock import database_now
from rules_engine.cards import CardFacts

BATCH = 20
"""Versions judged between two commits."""


@shared_task(name="decks.recheck_chunk")
def recheck_chunk(recheck_pk: int, first_pk: int, last_pk: int) -> None:
    """Judge the versions of a chunk that have no result yet; a re-check that is over needs nothing."""
    recheck = find_running(recheck_pk)
    if recheck is None:
        return
    cards, rules = cards_of(recheck.card_list.game), dict[str, tuple[Rules, Rules]]()
    ids = list(open_versions(recheck).filter(pk__range=(first_pk, last_pk)).values_list("pk", flat=True))
    for batch in batches(ids, BATCH):
        versions = DeckVersion.objects.filter(pk__in=batch).select_related("deck").order_by("pk")
        results = [each for version in versions for each in _judge(recheck, version, cards, rules)]
        if not keep_results(recheck, results):
            return
    finish_recheck(recheck, database_now())


def _judge(
    recheck: Recheck,
    version: DeckVersion,
    cards: Mapping[str, CardFacts],
    rules: dict[str, tuple[Rules, Rules]],
) -> Iterator[RecheckResult]:
    """The results of a version, one for each variant; report and cure only where it falls."""
    slug, day, decklist = version.deck.format, recheck.card_list.valid_from, version.decklist
    if slug not in rules:
        rules[slug] = rules_around(recheck.card_list, slug)
    before, after = rules[slug]
    for variant in [each.slug for each in after.game_format.variants] or [""]:
        result = RecheckResult(recheck=recheck, version=version, variant=variant)
        result.legal_before = bool(before.judge(decklist, cards, day, variant, repair=False).report.legal)
        verdict = after.judge(decklist, cards, day, variant, repair=result.legal_before)
        result.legal_after = bool(verdict.report.legal)
        if result.legal_before and not result.legal_after:
            result.report = verdict.report.as_data()
            result.repair = None if verdict.repair is None else [asdict(change) for change in verdict.repair]
        yield result
