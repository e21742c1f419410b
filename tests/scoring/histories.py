"""Random events as scoring sees them: two-seat rounds or tables, byes, no-shows, drops, late entries, shuffled."""

from fractions import Fraction
from random import Random

from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, SeatRecord

SCORES = [(2, 0, 0), (2, 1, 0), (1, 1, 0), (0, 2, 0), (1, 2, 0), (1, 0, 0), (0, 0, 0), (0, 0, 3), (2, 0, 1), (1, 1, 1)]


def outcomes(won, lost):
    """The outcome of each of two seats."""
    if won == lost:
        return Outcome.DRAW, Outcome.DRAW
    return (Outcome.WIN, Outcome.LOSS) if won > lost else (Outcome.LOSS, Outcome.WIN)


def played(number, one, other, won, lost, drawn=0, **more):
    """A match between two."""
    first, second = outcomes(won, lost)
    return MatchRecord(
        number, MatchKind.PLAYED, (SeatRecord(one, first, won), SeatRecord(other, second, lost)), drawn, **more
    )


def bye(number, one, kind=MatchKind.BYE, outcome=Outcome.WIN):
    """Somebody alone."""
    return MatchRecord(number, kind, (SeatRecord(one, outcome, 2 if outcome is Outcome.WIN else 0),))


def table(number, seats, chance):
    """A table of several: by score, by placing or by outcome alone."""
    scores = [Fraction(chance.randint(0, 6), 2) for _ in seats]
    best = max(scores)
    first = chance.choice([Outcome.WIN, Outcome.DRAW]) if scores.count(best) > 1 else Outcome.WIN
    way = chance.choice(["score", "placing", "outcome"])
    return MatchRecord(
        number,
        MatchKind.PLAYED,
        tuple(
            SeatRecord(
                seat,
                Outcome.LOSS if score < best else first,
                int(score == best),
                placing=1 + sum(each > score for each in scores) if way == "placing" else None,
                score=score if way != "outcome" else None,
            )
            for seat, score in zip(seats, scores, strict=True)
        ),
    )


def history(seed, *, tables=None):
    """Facts and records, in no order, of a random event of up to 14 contenders and 7 rounds."""
    chance = Random(seed)
    players = list(range(1, chance.randint(3, 15)))
    chance.shuffle(players)
    tables = chance.random() < 0.25 if tables is None else tables
    entered = {player: chance.choice([1, 1, 1, 1, 2]) for player in players}
    left, records = {}, []
    for number in range(1, chance.randint(2, 8)):
        present = [each for each in players if each not in left and entered[each] <= number]
        chance.shuffle(present)
        records += alone(number, present, chance)
        while len(present) > 1:
            size = chance.randint(3, 6) if tables else 2
            seats, present = present[:size], present[size:]
            if len(seats) == 2:
                won, lost, drawn = chance.choice(SCORES)
                record = played(number, *seats, won, lost, drawn)
                forfeit = chance.random() < 0.08 and won != lost
                records.append(played(number, *seats, won, lost, 0, forfeit=True) if forfeit else record)
            elif len(seats) > 2:
                records.append(table(number, seats, chance))
        records += [bye(number, each) for each in present]
        left |= {each: number for each in players if each not in left and chance.random() < 0.06}
    facts = [
        ContenderFacts(each, chance.randint(0, 9), entered[each], left.get(each), chance.random() < 0.1, each != 2)
        for each in players
    ]
    chance.shuffle(records)
    return facts, records


def alone(number, present, chance):
    """Requested byes, no-shows and absences: taken out of `present`."""
    found = []
    for player in list(present):
        draw = chance.random()
        if draw > 0.09:
            continue
        present.remove(player)
        if draw < 0.03:
            found.append(bye(number, player, MatchKind.REQUESTED_BYE, chance.choice(list(Outcome))))
        elif draw < 0.06:
            found.append(MatchRecord(number, MatchKind.NO_SHOW, (SeatRecord(player, Outcome.LOSS),), games_lost=2))
    return found
