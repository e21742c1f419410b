"""Judges a seated round on its own, written apart from the engine that seats: the oracle of the tests."""

from collections import Counter

from tournaments.pairing.pods.contenders import Remainder, SeatedRound, TableCost, TableInput


def check_tables(given: TableInput, seated: SeatedRound) -> list[str]:
    """Everything wrong with a seated round, in words; an empty list is a sound round.

    Sound: every contender has exactly one place, locked tables stand, free tables differ by one seat at most and have
    lawful sizes, nobody sits out without need, the claimed cost is right and not below the bound.
    """
    known = {contender.id for contender in given.contenders}
    strangers = {*seated.byes, *(seat for table in seated.tables for seat in table)} - known
    if strangers:
        return [f"{each} is not in the field" for each in sorted(strangers)]
    return [*_places(given, seated), *_sizes(given, seated), *_claims(given, seated)]


def _places(given: TableInput, seated: SeatedRound) -> list[str]:
    seats = [seat for table in seated.tables for seat in table]
    places = Counter(seats + list(seated.byes) + list(seated.awarded_byes))
    known = {contender.id for contender in given.contenders}
    problems = [f"{each} has {places[each]} places" for each in sorted(known) if places[each] != 1]
    awarded = {contender.id for contender in given.contenders if contender.awarded_bye}
    if set(seated.awarded_byes) != awarded:
        problems.append("awarded byes differ")
    return problems + [f"locked table {table} was changed" for table in given.locked if table not in seated.tables]


def _sizes(given: TableInput, seated: SeatedRound) -> list[str]:
    policy = given.policy
    free = [len(table) for table in seated.tables if table not in given.locked]
    out = len(seated.byes)
    problems = [f"a table of {size}" for size in free if not policy.least <= size <= policy.most]
    if free and max(free) - min(free) > 1:
        problems.append("table sizes differ by more than one")
    fillable = {0}
    for count in range(1, sum(free) + out + 1):
        if any(count - size in fillable for size in range(policy.least, policy.most + 1)):
            fillable.add(count)
    if policy.remainder is Remainder.BYES and sum(free) + out >= policy.preferred:
        if set(free) != {policy.preferred} or out >= policy.preferred:
            problems.append("byes were asked for, but not this way")
        return problems
    if out and any(more in fillable for more in range(sum(free) + 1, sum(free) + out + 1)):
        problems.append("somebody sits out who could be seated")
    if bool(out) != bool(seated.fault):
        problems.append("byes without a fault, or a fault without byes")
    return problems


def _claims(given: TableInput, seated: SeatedRound) -> list[str]:
    problems = []
    cost = recount(given, seated)
    if cost != seated.cost:
        problems.append(f"claims {seated.cost}, costs {cost}")
    if seated.bound > seated.cost:
        problems.append("the bound is above the cost")
    if seated.proved != (seated.bound == seated.cost):
        problems.append("proved means that the cost meets the bound")
    return problems


def recount(given: TableInput, seated: SeatedRound) -> TableCost:
    """The cost of a seated round, seat by seat; sizes are taken as those the policy asks for."""
    known = {contender.id: contender for contender in given.contenders}
    policy = given.policy
    terms: Counter[str] = Counter()
    for bye in seated.byes:
        terms["second_byes"] += known[bye].byes
        terms["bye_score"] += known[bye].score if policy.balance else 0
    for table in seated.tables:
        for seat, each in enumerate(table):
            contender = known[each]
            terms["off_size"] += contender.off_size * abs(policy.preferred - len(table))
            terms["seats"] += contender.seats[seat] if len(contender.seats) > seat else 0
            if policy.primary_targets:
                terms["targets"] += contender.left.count(table[seat + 1 - len(table)]) ** 2
            for mate in table[:seat]:
                other = known[mate]
                clubs = str(policy.clubs) if contender.club and contender.club == other.club else ""
                teams = str(policy.teams) if contender.team and contender.team == other.team else ""
                apart = each in other.apart or mate in contender.apart
                terms["forbidden_pairs"] += apart or "hard" in (clubs, teams)
                terms["club_pairs"] += "soft" in (clubs, teams)
                terms["repeats"] += max(contender.opponents.count(mate), other.opponents.count(each)) ** 2
                terms["spread"] += (contender.score - other.score) ** 2 if policy.balance else 0
    return TableCost(**terms)
