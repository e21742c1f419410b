"""Decks placed before each game of a match (DP-STACK); once all are, what they keep secret is revealed (DP-SECRET)."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.core.matches import about_match, still_there
from tournaments.decks.selectors.deck_ready import (
    all_placed,
    is_named,
    is_played,
    is_revealed,
    own_seat,
    secret_section,
    stacking_of,
    stacking_rule,
)
from tournaments.models import DeckPlacement, Match, Round, Seat, Tournament
from tournaments.permissions import (
    TABLE,
    acting_role,
    check_issuer,
    is_on_staff,
    member_of,
    require_staff_reporter,
    speaks_for_table,
)


@in_transaction
def mark_deck_ready(actor: Actor, seat: Seat, game: int, now: datetime) -> DeckPlacement:
    """The player at `seat` has stacked and placed the deck for a game of the match; twice is as good as once.

    What the code of a table said, the word of the player or of staff takes the place of: it alone reveals.

    The next game can be placed for when all have placed for the one before. Raises DomainError "no_stacking", Conflict
    "not_stacking" once a result counts or the round is not being played, Conflict "other_game" naming the `game` due,
    NotAllowed "issuer_plays".
    """
    tournament, match = lock_match(seat.match)
    check_issuer(actor, match)
    return _place(actor, tournament, match, seat, game, now, "deck.placed")


@in_transaction
def mark_deck_ready_for(actor: Actor, seat: Seat, game: int, now: datetime) -> DeckPlacement:
    """As staff, mark the deck at `seat` as ready for a player who cannot; else as `mark_deck_ready`.

    Not where they play themselves: it would reveal the opponent's cards (NotAllowed "own_match").
    """
    tournament, match = lock_match(seat.match)
    require_staff_reporter(actor, tournament, match)
    if own_seat(match, member_of(actor, tournament)) is not None:
        raise NotAllowed("own_match", _("You play this match. Ask your opponent or other staff to mark that deck."))
    return _place(actor, tournament, match, seat, game, now, "deck.placed_for")


def _place(
    actor: Actor, tournament: Tournament, match: Match, seat: Seat, game: int, now: datetime, act: str
) -> DeckPlacement:
    role = acting_role(actor, tournament)
    placed = match.placements.filter(seat=seat, game=game).first()
    if placed is not None and (is_named(placed) or role == TABLE):
        return placed
    if placed is None:
        _check_game(tournament, match, game)
        placed = DeckPlacement(match=match, seat=seat, game=game)
    elif not is_played(tournament, match):
        raise _not_stacking()
    placed.placed_at, placed.actor, placed.role, placed.issuer = now, actor.key, role, actor.issuer or None
    placed.save()
    log_act(tournament, act, actor, now, _ids(match, seat, game))
    if game == 1 and is_revealed(match) and secret_section(tournament) is not None:
        log_act(tournament, "deck.revealed", actor, now, about_match(match))
    return placed


@in_transaction
def start_stacking(actor: Actor, match: Match, game: int, now: datetime) -> Match:
    """Begin the minutes in which a table stacks its decks for a game after the first; twice is as good as once.

    By a player of the match, the code of its table, or staff. Raises NotAllowed "not_your_match", "issuer_plays",
    DomainError "no_stacking", Conflict "not_stacking", "other_game"; "rounds_clock" for game 1, which the clock of the
    round counts.
    """
    tournament, match = lock_match(match)
    check_at_match(actor, tournament, match)
    _check_game(tournament, match, game)
    if game == 1:
        raise Conflict("rounds_clock", _("The clock of the round counts the minutes of game 1."))
    if match.stacking_game == game:
        return match
    match.stacking_game, match.stacking_since = game, now
    match.save(update_fields=["stacking_game", "stacking_since"])
    subjects = {**about_match(match), "game": game}
    log_act(tournament, "deck.stacking_started", actor, now, subjects)
    return match


@in_transaction
def undo_deck_ready(actor: Actor, seat: Seat, game: int, reason: str, now: datetime) -> None:
    """As a judge, have a player stack again who placed too early; needs a reason, kept in the log.

    Not at the judge's own match (NotAllowed "own_match"), nor when the other side has placed too, so that the game is
    on (Conflict "all_placed"); what reveals something is on once it is revealed. Raises Conflict "not_placed",
    "not_stacking", "other_game", DomainError "no_stacking".
    """
    reason = require_reason(reason)
    tournament, match = lock_match(seat.match)
    if own_seat(match, member_of(actor, tournament)) is not None:
        raise NotAllowed("own_match", _("You play this match. Ask another judge to undo the placement."))
    reveals = game == 1 and secret_section(tournament) is not None
    if is_revealed(match) if reveals else all_placed(match, game):
        raise Conflict("all_placed", _("All decks are placed: the game is on."))
    if not reveals or not is_played(tournament, match) or match.placements.filter(game__gt=1).exists():
        _check_game(tournament, match, game)
    deleted, _rows = match.placements.filter(seat=seat, game=game).delete()
    if not deleted:
        raise Conflict("not_placed", _("This deck is not placed."))
    log_act(tournament, "deck.placement_taken_back", actor, now, _ids(match, seat, game), {"reason": reason})


def check_at_match(actor: Actor, tournament: Tournament, match: Match) -> None:
    """Refuse who neither plays a match, nor came by the code of its table, nor is staff; for services.

    NotAllowed "not_your_match"; "issuer_plays" where a player of the match made the actor's link or code.
    """
    check_issuer(actor, match)
    plays = own_seat(match, member_of(actor, tournament)) is not None or speaks_for_table(actor, match)
    if not plays and not is_on_staff(actor, tournament):
        raise NotAllowed("not_your_match", _("You do not play this match."))


def lock_match(match: Match) -> tuple[Tournament, Match]:
    """Tournament, round and match, locked in this order, the match with its round; for services."""
    tournament = lock_tournament(match.round.stage.tournament)
    round_ = Round.objects.select_for_update().get(pk=match.round_id)
    match = still_there(Match.objects.select_for_update().filter(pk=match.pk, round=round_).first())
    match.round = round_
    return tournament, match


def _check_game(tournament: Tournament, match: Match, game: int) -> None:
    if stacking_rule(tournament) is None:
        raise DomainError("no_stacking", _("In this game decks are not stacked."))
    stacking = stacking_of(tournament, match)
    if stacking is None:
        raise _not_stacking()
    if stacking.game != game:
        raise Conflict(
            "other_game",
            _("Decks are now placed for game %(game)d. Check the match again.") % {"game": stacking.game},
            game=stacking.game,
        )


def _not_stacking() -> Conflict:
    return Conflict("not_stacking", _("No deck is due at this match now. Check it again."))


def _ids(match: Match, seat: Seat, game: int) -> dict[str, int | str]:
    return {**about_match(match), "entry": seat.entry.number, "game": game}
