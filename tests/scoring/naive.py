"""Every tiebreaker once more in the plainest way, from its description alone, with fractions and no care for time.

See docs/how-it-works/standings-and-tiebreakers.md.
"""

from fractions import Fraction as F
from functools import wraps

from scoring.standings.records import MatchKind, Outcome

BYES = (MatchKind.BYE, MatchKind.REQUESTED_BYE)


def remembered(method):
    """The answer is worked out once for everybody."""
    key = method.__name__

    @wraps(method)
    def answer(self, *what, **how):
        place = (key, *what, *how.items())
        if place not in self.known:
            self.known[place] = method(self, *what, **how)
        return self.known[place]

    return answer


class Naive:
    """Values of one event; `value(key, who)`."""

    def __init__(self, facts, records, policy):
        self.known = {}
        self.facts, self.records, self.policy = {each.id: each for each in facts}, records, policy
        numbers = [record.round_number for record in records]
        self.rounds = list(range(min(numbers), max(numbers) + 1)) if numbers else []

    @remembered
    def value(self, key, who):
        return F(getattr(self, key)(who))

    # what happened

    @remembered
    def own(self, who):
        """(record, seat) of somebody, first round first."""
        found = [(record, seat) for record in self.records for seat in record.seats if seat.contender == who]
        return sorted(found, key=lambda each: each[0].round_number)

    def others(self, record, who):
        return [seat.contender for seat in record.seats if seat.contender != who] if record.kind not in BYES else []

    @remembered
    def faced(self, who):
        return [other for record, _seat in self.own(who) for other in self.others(record, who)]

    @remembered
    def seen(self, who):
        """(round, what, record, seat) of every round so far, absences included."""
        found = []
        for number in self.rounds:
            mine = [(record, seat) for record, seat in self.own(who) if record.round_number == number]
            found += [(number, self.what(record, seat), record, seat) for record, seat in mine]
            dropped = self.facts[who].dropped_after
            gone = number < self.facts[who].entered_round or (dropped is not None and number > dropped)
            if not mine and (number < self.rounds[-1] or gone):
                found.append((number, "absent", None, None))
        return found

    def what(self, record, seat):
        if record.kind in BYES:
            return "bye" if record.kind is MatchKind.BYE else "asked"
        if record.forfeit or record.kind is MatchKind.NO_SHOW:
            return "forfeit lost" if seat.outcome is Outcome.LOSS else "forfeit won"
        return "played"

    # points

    def raw(self, record, seat):
        policy = self.policy
        worth = {Outcome.WIN: policy.win, Outcome.DRAW: policy.draw, Outcome.LOSS: policy.loss}[seat.outcome]
        if [each.outcome for each in record.seats].count(Outcome.WIN) >= 2 and seat.outcome is Outcome.WIN:
            worth = policy.draw  # who wins together has a win each, and the points of a draw
        if record.kind is MatchKind.BYE:
            return policy.bye
        if record.kind is MatchKind.REQUESTED_BYE:
            return worth if policy.requested_bye is None else policy.requested_bye
        lost = sum(each.games_won for each in record.seats) - seat.games_won + record.games_lost
        if policy.points_by == "games":
            return policy.game_win * seat.games_won + policy.game_draw * record.games_drawn + policy.game_loss * lost
        if policy.points_by == "score":
            return {(a, b): points for a, b, points in policy.score_points}.get((seat.games_won, lost), worth)
        if policy.points_by == "placing":
            return self.by_place(record, seat, worth)
        return worth

    def by_place(self, record, seat, otherwise):
        rows = list(self.policy.placing_points)
        if rows and len(record.seats) > 6 and len(record.seats) not in map(len, rows):
            longest = list(max(rows, key=len))
            while len(longest) < len(record.seats):
                longest.append(longest[-1])
            rows.append(longest[: len(record.seats)])
        for row in rows:
            if len(row) == len(record.seats):
                order = sorted(range(len(row)), key=lambda place: self.place(record, record.seats[place]))
                spots = {}
                for points, place in zip(row, order, strict=True):
                    spots.setdefault(self.place(record, record.seats[place]), []).append(points)
                mine = spots[self.place(record, seat)]
                return sum(mine) // len(mine)
        return otherwise

    def place(self, record, seat):
        if None not in [each.placing for each in record.seats]:
            return seat.placing
        if None not in [each.score for each in record.seats]:
            return -seat.score
        return seat.outcome is Outcome.LOSS

    @remembered
    def total(self, who):
        return sum(self.raw(record, seat) for record, seat in self.own(who))

    def unit(self, points):
        return F(points, self.policy.point_unit)

    def match_points(self, who):
        return self.unit(self.total(who))

    def rounds_played(self, who):
        return len(self.own(who))

    def wins(self, who):
        return sum(seat.outcome is Outcome.WIN for _record, seat in self.own(who))

    # percentages

    @remembered
    def share(self, who):
        counted = [each for each in self.own(who) if each[0].kind not in BYES or self.policy.bye_in_own_match_pct]
        return F(sum(self.raw(*each) for each in counted), self.policy.win * len(counted)) if counted else F(0)

    @remembered
    def games(self, who):
        policy, got, number = self.policy, 0, 0
        for record, seat in self.own(who):
            won, drawn = seat.games_won, record.games_drawn
            lost = sum(each.games_won for each in record.seats) - won + record.games_lost
            if record.kind is MatchKind.REQUESTED_BYE:
                continue
            if record.kind is MatchKind.BYE:
                won, lost, drawn = (*policy.bye_games, 0) if policy.bye_in_own_game_pct else (0, 0, 0)
            got += policy.game_win * won + policy.game_draw * drawn + policy.game_loss * lost
            number += won + drawn + lost
        return F(got, policy.game_win * number) if number else F(0)

    def average(self, values, who, *, virtual=False):
        values = list(values)
        if virtual:
            byes = sum(record.kind is MatchKind.BYE for record, _seat in self.own(who))
            values += [self.policy.bye_opponent_share] * self.policy.bye_opponents * byes
        return F(sum(values)) / len(values) if values else self.policy.floor

    @remembered
    def omw(self, who):
        return self.average((max(self.share(one), self.policy.floor) for one in self.faced(who)), who, virtual=True)

    def ogw(self, who):
        return self.average((max(self.games(one), self.policy.floor) for one in self.faced(who)), who, virtual=True)

    def gw(self, who):
        return max(self.games(who), self.policy.floor) if self.policy.gw_floored else self.games(who)

    def oomw(self, who):
        return self.average((self.omw(one) for one in self.faced(who)), who)

    @remembered
    def halves(self, who):
        mine = [seat.outcome for record, seat in self.own(who) if record.kind not in BYES]
        return F(2 * mine.count(Outcome.WIN) + mine.count(Outcome.DRAW), 2 * len(mine)) if mine else F(0)

    @remembered
    def opponents_win(self, who):
        return self.average((max(self.halves(one), self.policy.floor) for one in self.faced(who)), who, virtual=True)

    def opponents_opponents_win(self, who):
        return self.average((self.opponents_win(one) for one in self.faced(who)), who)

    # chess

    @remembered
    def adjusted(self, who, *, fore=False, own=False):
        seen = list(self.seen(who))
        last = max((number for number, what, *_ in seen if what in ("played", "bye", "forfeit won")), default=0)
        total = 0
        for number, what, record, seat in seen:
            over = what in ("asked", "absent") and number > last and not own
            fore_drawn = fore and what == "played" and number == self.rounds[-1]
            total += self.policy.draw if over or fore_drawn else 0 if record is None else self.raw(record, seat)
        return total

    def met(self, who, score, own):
        """(opponent's score, points taken, voluntary) of every round."""
        for _number, what, record, seat in self.seen(who):
            points = 0 if record is None else self.raw(record, seat)
            if what == "played":
                yield from ((score(other), points, False) for other in self.others(record, who))
            else:
                yield own, points, what in ("asked", "forfeit lost", "absent")

    @remembered
    def scores(self, who):
        return list(self.met(who, self.adjusted, self.total(who)))

    def cut(self, lines, worth):
        """Lines without the one that Cut 1 takes."""
        if not lines:
            return lines
        lowest = min(line[0] for line in lines)
        out = min((line for line in lines if line[0] == lowest), key=worth)
        chosen = sorted((line for line in lines if line[2]), key=worth)
        if chosen and worth(chosen[0]) >= worth(out):
            out = chosen[0]
        left = list(lines)
        left.remove(out)
        return left

    @remembered
    def buchholz(self, who):
        return self.unit(sum(line[0] for line in self.scores(who)))

    def buchholz_cut_1(self, who):
        return self.unit(sum(line[0] for line in self.cut(self.scores(who), lambda line: line[0])))

    def buchholz_median(self, who):
        left = sorted(line[0] for line in self.cut(self.scores(who), lambda line: line[0]))
        return self.unit(sum(left[:-1]))

    def opponents_buchholz(self, who):
        found = [
            self.buchholz(other)
            for _number, what, record, _seat in self.seen(who)
            if what == "played"
            for other in self.others(record, who)
        ]
        return sum(found, F(0)) / len(found) if found else F(0)

    def fore_buchholz(self, who):
        score = lambda one: self.adjusted(one, fore=True)  # noqa: E731
        return self.unit(sum(line[0] for line in self.met(who, score, self.adjusted(who, fore=True, own=True))))

    def sonneborn_berger(self, who):
        return self.unit(sum(line[0] * line[1] for line in self.scores(who))) / self.policy.point_unit

    def sonneborn_berger_cut_1(self, who):
        left = self.cut(self.scores(who), lambda line: line[0] * line[1])
        return self.unit(sum(line[0] * line[1] for line in left)) / self.policy.point_unit

    def running(self, who):
        """(round, total so far)."""
        total = 0
        for number, _what, record, seat in self.seen(who):
            total += 0 if record is None else self.raw(record, seat)
            yield number, total

    def progressive(self, who):
        return self.unit(sum(total for _number, total in self.running(who)))

    def progressive_cut_1(self, who):
        return self.unit(sum(total for number, total in self.running(who) if number != self.rounds[0]))

    def wins_played(self, who):
        return sum(what == "played" and seat.outcome is Outcome.WIN for _n, what, _r, seat in self.seen(who))

    def rounds_available(self, who):
        return sum(what in ("played", "bye", "forfeit won") for _n, what, *_ in self.seen(who))

    def second(self, who):
        return [seat for _n, what, record, seat in self.seen(who) if what == "played" and record.seats[1] is seat]

    def second_seats(self, who):
        return len(self.second(who))

    def second_seat_wins(self, who):
        return sum(seat.outcome is Outcome.WIN for seat in self.second(who))

    # schedules, numbers, tables

    def weight(self, number):
        weights = self.policy.round_weights
        return weights[number - 1] if number <= len(weights) else F(1)

    @remembered
    def pace(self, who):
        rounds = sum(self.weight(record.round_number) for record, _seat in self.own(who))
        return F(self.total(who)) / rounds if rounds else F(0)

    def weighted(self, who, value):
        pairs = [(self.weight(r.round_number), value(o)) for r, _seat in self.own(who) for o in self.others(r, who)]
        weights = sum(weight for weight, _value in pairs)
        return sum(weight * value for weight, value in pairs) / weights if weights else F(0)

    @remembered
    def strength_of_schedule(self, who):
        return self.weighted(who, self.pace)

    def extended_strength(self, who):
        return self.weighted(who, self.strength_of_schedule)

    def duel_number(self, who):
        digits = [min(int(value(who) * 1000), 999) for value in (self.omw, self.oomw)]
        return self.total(who) * 10**6 + digits[0] * 1000 + digits[1]

    def table_wins(self, who):
        return sum(
            seat.score is not None
            and seat.score >= 2
            and sum((each.score or 0) >= seat.score for each in record.seats) == 1
            for record, seat in self.own(who)
        )

    def victory_points(self, who):
        return sum(seat.score or 0 for _record, seat in self.own(who))

    def opponents_score(self, who):
        met = [
            self.victory_points(other)
            for _number, what, record, _seat in self.seen(who)
            if what == "played"
            for other in self.others(record, who)
        ]
        return sum(met, F(0)) / len(met) if met else F(0)

    def placed(self, who, place):
        return sum(what == "played" and self.rank(record, seat) == place for _n, what, record, seat in self.seen(who))

    def rank(self, record, seat):
        return 1 + sum(self.place(record, each) < self.place(record, seat) for each in record.seats)

    def firsts(self, who):
        return self.placed(who, 1)

    def seconds(self, who):
        return self.placed(who, 2)

    def thirds(self, who):
        return self.placed(who, 3)

    def table_points(self, who):
        return sum(self.by_place(record, seat, 0) for record, seat in self.own(who))

    def on_time(self, who):
        return not self.facts[who].late

    def lot(self, who):
        return -self.facts[who].lot

    def head_to_head(self, who):
        keys = self.policy.tiebreakers
        before = keys[: keys.index("head_to_head")] if "head_to_head" in keys else ["match_points"]
        level = [self.value(key, who) for key in before]
        tied = {
            one for one, fact in self.facts.items() if fact.ranked and [self.value(key, one) for key in before] == level
        }
        if who not in tied or any(not tied - {one} <= set(self.faced(one)) for one in tied):
            return 0
        return self.unit(
            sum(self.raw(record, seat) for record, seat in self.own(who) if tied & set(self.others(record, who)))
        )
