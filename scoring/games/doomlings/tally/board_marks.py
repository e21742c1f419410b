"""Which rules of Doomlings a move on the board breaks, though the cards may allow it."""

from collections.abc import Sequence

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally.board_state import HEROS_AGE, State, card_of
from scoring.games.doomlings.tally.limits import DOMINANTS_MOST, THIRD_DOMINANT
from scoring.sheets.boards import Mark, Move


def marks_of(state: State, move: Move) -> Sequence[Mark]:
    """Which rules a move breaks that the cards allow."""
    if state.first < 0:
        return ()
    act, found = str(move.get("act")), []
    if act in ("play", "end", "skip") and state.is_over:
        found.append(Mark(Message(gettext_noop("After World's End nobody takes a turn.")), "DL-END"))
    elif act in ("play", "end", "skip") and state.flips:
        found.append(Mark(Message(gettext_noop("Everybody has taken a turn: flip the next age.")), "DL-ROUND"))
    elif act == "flip" and not state.flips:
        found.append(Mark(Message(gettext_noop("Not everybody has taken a turn.")), "DL-ROUND"))
    elif act == "end" and state.cards and not state.has_played:
        found.append(Mark(Message(gettext_noop("No trait was played in this turn.")), "DL-NO-PLAY"))
    if act == "skip" and move.get("how") == "five" and state.hands[state.player]:
        found.append(Mark(Message(gettext_noop("Only an empty hand draws 5.")), "DL-NO-PLAY"))
    if act == "play":
        found += _against_dominant(state, move)
    moved = next((each for each in state.cards if str(each.id) == str(move.get("card"))), None)
    if act == "move" and moved and moved.is_dominant:
        found.append(Mark(Message(gettext_noop("A dominant trait never leaves its pile.")), "DL-DOMINANT-STAY"))
    return found


def _against_dominant(state: State, move: Move) -> list[Mark]:
    """Two dominants a player; Heroic may be the third in its age (DL-DOMINANT)."""
    owner = str(move.get("player", state.player))
    card = card_of(state, owner, move)
    is_hero = card.name == THIRD_DOMINANT and state.ages[-1:] == (HEROS_AGE,)
    if not card.is_dominant or is_hero or state.dominants(owner) < DOMINANTS_MOST:
        return []
    return [Mark(Message(gettext_noop("Each player has at most 2 dominant traits.")), "DL-DOMINANT")]
