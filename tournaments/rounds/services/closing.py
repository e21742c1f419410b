"""Rounds end: every match is done, or the organiser goes on without it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby

from django.utils.translation import gettext as _

from accounts.actors import Actor
from rules_engine.errors import DomainError
from tournaments.core.lapsed_calls import end_calls
from tournaments.core.rounds import missing_matches, rounds_of
from tournaments.models import Match, Round, RoundClock, Tournament

MAX_TABLES = 20
"""So many tables are named in a sentence; the details of an error and the round itself name all."""


def close_rounds(
    actor: Actor,
    tournament: Tournament,
    now: datetime,
    without: Collection[int] = (),
    *,
    rounds: Sequence[Round] | None = None,
) -> list[Match]:
    """End every round whose matches are all done; answers the matches that are not, all of them in `without`.

    Their rounds stay open for results. Any other match that is not done is refused with DomainError "missing_results",
    which names it; an unpublished round with "not_published". Calls for a judge end with their round.
    `rounds` are those of the event, for callers that have read them.
    """
    rounds = list(rounds_of(tournament)) if rounds is None else rounds
    if rounds and rounds[-1].state == Round.State.PAIRED:
        text = _("Round %(number)d is paired but not published. Publish it or take it back first.")
        raise DomainError("not_published", text % {"number": rounds[-1].number})
    missing = list(missing_matches(tournament))
    if unseen := [match for match in missing if match.pk not in without]:
        raise _missing_results(unseen)
    waiting = {match.round_id for match in missing}
    closed = [each.pk for each in rounds if each.state == Round.State.PUBLISHED and each.pk not in waiting]
    end_clocks(closed, now)
    end_calls(actor, tournament, closed, now)
    Round.objects.filter(pk__in=closed).update(state=Round.State.CLOSED, closed_at=now)
    return missing


def end_clocks(rounds: Collection[int], now: datetime) -> None:
    """Stop the clocks of rounds, by id, that are not played any more; one opened again has no running clock."""
    begun = RoundClock.objects.filter(round__in=rounds, started_at__isnull=False, stopped_at=None)
    begun.update(stopped_at=now, paused_at=None)


def _missing_results(matches: Sequence[Match]) -> DomainError:
    """Names the tables by round, and in its details each match."""
    text = _("Results missing in round %(number)d: tables %(tables)s.")
    sentences = []
    for number, found in groupby(matches, key=lambda match: match.round.number):
        tables = [str(match.table_number) for match in found]
        named = ", ".join(tables[:MAX_TABLES]) + (" …" if len(tables) > MAX_TABLES else "")
        sentences.append(text % {"number": number, "tables": named})
    details = [
        {"round": match.round.number, "table": match.table_number, "match": match.pk, "state": match.state}
        for match in matches
    ]
    return DomainError("missing_results", " ".join(sentences), missing=details)
