"""What pairs and byes cost, term by term: the one place that knows the objective's terms.

See docs/how-it-works/pairing.md#objective.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields

from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, Order, PairingCost, RoundInput

Flaws = tuple[int, int, int]
Price = tuple[int, int, int, int]


def pairing_cost(given: RoundInput, pairs: Iterable[tuple[int, int]], bye: int | None) -> PairingCost:
    """What a given pairing of these contenders costs, term by term; contenders in neither are left out."""
    by_id = {contender.id: contender for contender in given.contenders}
    couples = [(by_id[one], by_id[other]) for one, other in pairs]
    return Costs(given).of_round(couples, None if bye is None else by_id[bye])


def add_costs(one: PairingCost, other: PairingCost) -> PairingCost:
    """The sum, term by term; the same groups in both."""
    sums = {item.name: getattr(one, item.name) + getattr(other, item.name) for item in fields(PairingCost)}
    downs = tuple(a + b for a, b in zip(one.downfloats, other.downfloats, strict=True))
    return PairingCost(**{**sums, "downfloats": downs})


def is_least(cost: PairingCost | TableCost, bound: PairingCost | TableCost, term: str) -> bool:
    """Whether no round that is as good in the earlier terms is better in this one; both costs of one kind."""
    until = [item.name for item in fields(cost)].index(term) + 1
    return astuple(cost)[:until] == astuple(bound)[:until]


def kept_locked(given: RoundInput) -> list[tuple[Contender, Contender]]:
    """The locked pairs of two contenders neither of whom is in an earlier one, by the lower id, which comes first."""
    by_id = {one.id: one for one in given.contenders} if given.locked else {}
    kept, seated = list[tuple[int, int]](), set[int]()
    for pair in map(frozenset, given.locked):
        if len(pair) == 2 and pair <= by_id.keys() and not pair & seated:
            kept.append((min(pair), max(pair)))
            seated |= pair
    return [(by_id[one], by_id[other]) for one, other in sorted(kept)]


class Costs:
    """The rules of a round, ready to judge any pair: mates, `apart`, earlier meetings, score groups, finish.

    An earlier meeting or a wish to be kept apart counts when either side lists it.
    """

    def __init__(self, given: RoundInput) -> None:
        """Collect who is kept apart; rank the scores of all who are to be seated, from the highest (0)."""
        policy = given.policy
        self.finish_rule = policy.finish
        self.top_down = policy.order is Order.TOP_DOWN
        self.club_rule, self.team_rule = policy.clubs, policy.teams
        self.hard_clubs, self.soft_clubs = policy.clubs is Apart.HARD, policy.clubs is Apart.SOFT
        self.hard_teams, self.soft_teams = policy.teams is Apart.HARD, policy.teams is Apart.SOFT
        self.clubs, self.teams = policy.clubs is not Apart.IGNORE, policy.teams is not Apart.IGNORE
        self.apart = {frozenset((each.id, other)) for each in given.contenders if each.apart for other in each.apart}
        scores = {one.score for one in given.contenders if not one.awarded_bye}
        scores.update(one.score for couple in kept_locked(given) for one in couple)
        self.scores = sorted(scores, reverse=True)
        self.ranks = {score: rank for rank, score in enumerate(self.scores)}
        self.keeps_mates_apart = self.clubs or self.teams
        self.only_rematches = not (self.apart or self.keeps_mates_apart)

    def flaws(self, one: Contender, other: Contender) -> Flaws:
        """Forbidden (0 or 1), earlier meetings, same club or team softly (0 or 1)."""
        club = self.clubs and one.club is not None and one.club == other.club
        team = self.teams and one.team is not None and one.team == other.team
        hard = (club and self.hard_clubs) or (team and self.hard_teams)
        hard = hard or (bool(self.apart) and frozenset((one.id, other.id)) in self.apart)
        soft = (club and self.soft_clubs) or (team and self.soft_teams)
        return int(hard), max(one.opponents.count(other.id), other.opponents.count(one.id)), int(soft)

    def clean(self, one: Contender, other: Contender) -> bool:
        if other.id in one.opponents or one.id in other.opponents:
            return False
        return self.only_rematches or self.flaws(one, other) == (0, 0, 0)

    def price(self, one: Contender, other: Contender) -> Price:
        """The flaws, and the repeated floats where these are the finish (places have their own way, see the kernel)."""
        floats = self.finish(one, other) if self.finish_rule is Finish.FEWEST_FLOATS else 0
        if self.clean(one, other):
            return 0, 0, 0, floats
        return *self.flaws(one, other), floats

    def mates_of(self, one: Contender, *rules: Apart) -> list[tuple[str, str]]:
        """The club and the team whose members are kept apart by these rules (by default any), as (kind, name)."""
        kinds = (("club", self.club_rule, one.club), ("team", self.team_rule, one.team))
        rules = rules or (Apart.SOFT, Apart.HARD)
        return [(kind, name) for kind, rule, name in kinds if rule in rules and name is not None]

    def finish(self, one: Contender, other: Contender) -> int:
        """The last term: repeated floats of a pair across groups, or the squared difference of places."""
        if self.finish_rule is Finish.STANDINGS:
            return (one.place - other.place) ** 2
        if self.finish_rule is Finish.LOT or one.score == other.score:
            return 0
        higher, lower = (one, other) if one.score > other.score else (other, one)
        return higher.downfloats + lower.upfloats

    def of_round(self, couples: Sequence[tuple[Contender, Contender]], bye: Contender | None) -> PairingCost:
        flaws = [self.flaws(one, other) for one, other in couples]
        groups = sorted({*self.scores, *(one.score for couple in couples for one in couple)}, reverse=True)
        downs = Counter(max(one.score, other.score) for one, other in couples if one.score != other.score)
        return PairingCost(
            second_byes=int(bye is not None and bye.had_bye),
            forbidden_pairs=sum(hard for hard, _, _ in flaws),
            rematches=sum(meetings for _, meetings, _ in flaws),
            club_pairs=sum(soft for _, _, soft in flaws),
            bye_score=bye.score if bye is not None else 0,
            downfloats=tuple(downs[score] for score in groups) if self.top_down else (),
            sum_sq_diff=sum((one.score - other.score) ** 2 for one, other in couples),
            finish=sum(self.finish(one, other) for one, other in couples),
        )
