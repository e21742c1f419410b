"""What the fairness report counts, and what contenders take over from earlier rounds."""

from tournaments.pairing.pods.contenders import TableContender
from tournaments.pairing.pods.fairness import PlayedTables, contenders_from, fairness_of

ROUNDS = (
    PlayedTables(((1, 2, 3, 4), (5, 6, 7)), byes=(8,)),
    PlayedTables(((2, 1, 5, 8), (6, 3, 4)), byes=(7,)),
)


def test_fairness_counts_meetings_seats_sizes_and_byes():
    fairness = fairness_of(ROUNDS)
    assert fairness.meetings[1, 2] == fairness.meetings[3, 4] == 2
    assert fairness.meetings[1, 3] == 1
    assert (1, 7) not in fairness.meetings
    assert fairness.repeats == 2
    assert fairness.seats[1] == (1, 1)
    assert fairness.seats[4] == (0, 0, 1, 1)
    assert fairness.sizes[3] == {3: 1, 4: 1}
    assert fairness.byes == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 1, 8: 1}


def test_contenders_take_over_what_earlier_rounds_left():
    active = [TableContender(1, 7, club="A"), TableContender(6), TableContender(7), TableContender(9)]
    one, six, seven, late = contenders_from(ROUNDS, active, 4)
    assert (one.score, one.club) == (7, "A")
    assert sorted(one.opponents) == [2, 2, 3, 4, 5, 8]
    assert (one.seats, one.left, one.off_size, one.byes) == ((1, 1), (2, 5), 0, 0)
    assert (six.off_size, six.left) == (2, (7, 3))
    assert (seven.off_size, seven.byes, seven.left) == (1, 1, (5,))
    assert late == TableContender(9)
