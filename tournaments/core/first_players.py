"""Who goes first in a match: drawn by lot from a number that the round keeps, so that anybody can draw it again."""

from hashlib import sha256

from django.utils.crypto import salted_hmac

from rules_engine.systems import get_system
from tournaments.models import Match, Tournament

LOT_BITS = 53
"""What a program that reads JSON keeps of a number."""


def draw_lots(event: int, number: int, version: int, seed: int | None) -> int:
    """The number from which the lots of a round are drawn.

    It follows from the seed of the pairing by a secret of the site: officials alone may know the seed, since with it
    one could try out whose table is fixed, and its 32 bits would be found from any other digest by trying all.
    """
    drawn = salted_hmac("tournaments.lots", f"{event}:{number}:{version}:{seed}", algorithm="sha256").hexdigest()
    return int(drawn, 16) % (1 << LOT_BITS)


def first_place(tournament: Tournament, match: Match, seats: int) -> int | None:
    """The place in seat order, from 0, that goes first in the first game; None where that is left open.

    By lot it is SHA-256 of "lots:table", as a number, modulo the seats. Where the roles of a game are unequal it is the
    first seat: pairing gives everybody that as often.
    """
    first = get_system(tournament.game).match.first
    if first is None or seats < 2:
        return None
    if not first.by_lot:
        return 0
    if match.round.lots is None:
        return None
    drawn = sha256(f"{match.round.lots}:{match.table_number}".encode()).digest()
    return int.from_bytes(drawn) % seats
