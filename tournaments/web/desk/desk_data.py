"""What the desk's script knows: who sits where, what a digit means, and the words it shows (`static/desk.js`)."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from scoring.standings.results import MatchLength
from tournaments.models import Match, Round, Tournament
from tournaments.results.forms.scores import MORE, desk_codes
from tournaments.results.selectors import pending_of
from tournaments.web.shared.match_rows import MatchRow, score_text


def desk_data(
    actor: Actor, tournament: Tournament, shown: Round, newest: Round, lines: Sequence[MatchRow]
) -> dict[str, Any]:
    """The tables of a round by number, from what was loaded; ids of round and newest round go with every entry."""
    return {
        "who": actor.key,
        "event": tournament.slug,
        "round": shown.pk,
        "newest": newest.pk,
        "number": shown.number,
        "desk": reverse("desk", args=[tournament.slug]),
        "match": reverse("match", args=[tournament.slug, 0]),
        "tables": [_table(line) for line in lines if line.table is not None],
        "next": reverse("manage", args=[tournament.slug]),
        "codes": {
            str(code): [score.won, score.lost, score.drawn]
            for code, score in desk_codes(shown.stage.match_length, needs_winner=shown.stage.needs_winner).items()
        },
        "length": _length(shown.stage.match_length, wins_only=shown.stage.needs_winner),
        "more": MORE,
    }


def _table(line: MatchRow) -> dict[str, Any]:
    return {
        "table": line.table,
        "match": line.match.pk,
        "names": line.names,
        "places": line.is_table,
        "scores": line.is_table and line.counts_scores,
        "state": line.match.state,
        "score": line.score,
        "words": line.words,
        "reports": []
        if line.match.state == Match.State.DONE
        else [score_text(each) for each in pending_of(line.match)],
    }


def _length(length: MatchLength, *, wins_only: bool) -> dict[str, int | bool]:
    """What a score is checked against before it is sent."""
    return {"games": length.games, "needed": length.wins_needed, "exactly": length.exactly, "wins_only": wins_only}


def desk_words() -> dict[str, str]:
    """The sentences of the script; words in braces are filled in by it."""
    return {
        "table": _("Table {table}"),
        "against": _("(seat 1) vs."),
        "wins": _("{first} wins against {second}"),
        "draw": _("draw between {first} and {second}"),
        "places": _("{place} {name}"),
        "none": _("This round has no table {table}."),
        "unread": _("“{typed}” isn't a result. Type a code or games, such as 2-1."),
        "unread_places": _("Type {count} places in seat order."),
        "unread_scores": _("Type {count} scores in seat order."),
        "scores_missing": _("Scores count here: type everyone's. To save “{typed}” without scores, type {typed}!"),
        "gap": _("After a shared place go on as in 1 2 2 4."),
        "too_many": _("A player can win at most {needed} games here."),
        "both": _("Only one side can win {needed} games."),
        "exactly": _("This match has exactly {games} games."),
        "too_drawn": _("Report at most {games} drawn games."),
        "unplayed": _("No games played: type 0 for an intentional draw, a no-show or a penalty."),
        "undecided": _("This match needs a winner."),
        "no_table": _("Every table had a report. Type a table number and its result."),
        "other": _("Table {table} already has {result}. {typed} wasn't saved. Correct it on the table's page."),
        "same": _("Table {table}: this result is already saved."),
        "queued_other": _("Table {table} keeps your first entry {result}, not {typed}."),
        "reported": _("reported: {result}"),
        "next": _("Next without a report"),
        "take": _("Enter takes it"),
        "all": _("All results are in"),
        "see_next": _("See what comes next"),
        "none_open": _("Every table has a report. Some aren't final: see the list."),
        "stored": _("Last saved"),
        "back": _("Undo or correct"),
        "page": _("To its page"),
        "sending": _("being saved"),
        "kept": _("not saved"),
        "dealt": _("Dealt with"),
        "drop": _("Do not send"),
        "wait": _("Saving {count} results. The page opens when it's done."),
        "taken_back": _("Table {table}: taken back before it was sent."),
        "nothing": _("There's nothing from this page to undo."),
        "moved": _("The round changed while this desk was open."),
        "reload": _("Open the desk as it is now"),
        "denied": _("Not saved: you may be signed out or off the staff."),
        "broken": _("The server could not answer."),
    }
