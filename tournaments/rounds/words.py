"""Why two meet, in words: a sentence or two for each reason of `pairing.explain`; names come in at the edge."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from tournaments.pairing.swiss.explain import Reason

Names = Callable[[int], str]
"""What to call the contender of an id."""

SENTENCES: Mapping[str, Any] = {
    "same_score": gettext_lazy("Both have %(points)s."),
    "same_score only": gettext_lazy("Only these two have %(points)s."),
    "paired_down": gettext_lazy("%(who)s (%(above)s) floats to %(stay)s (%(below)s)."),
    "group_odd": gettext_lazy("%(count)d players have %(points)s, an odd number."),
    "group_odd alone": gettext_lazy("No other player has %(points)s."),
    "group_odd rest": gettext_lazy("An odd number with %(points)s was left."),
    "group_odd taken": ngettext_lazy(
        "%(taken)d of %(count)d players with %(points)s plays up: an odd number is left.",
        "%(taken)d of %(count)d players with %(points)s play up: an odd number is left.",
        "taken",
    ),
    "group_rest": ngettext_lazy(
        "%(count)d player with %(points)s is paired down.",
        "%(count)d players with %(points)s are paired down.",
        "count",
    ),
    "down_too_met": ngettext_lazy(
        "%(people)s is also paired down, but met %(who)s before.",
        "%(people)s are also paired down, but met %(who)s before.",
        "count",
    ),
    "others_met": ngettext_lazy(
        "%(people)s can't replace %(who)s: met %(stay)s before.",
        "%(people)s can't replace %(who)s: met %(stay)s before.",
        "count",
    ),
    "others_met all": gettext_lazy("All others with %(points)s met %(stay)s before."),
    "others_mates": ngettext_lazy(
        "%(people)s can't replace %(who)s: same club or team as %(stay)s.",
        "%(people)s can't replace %(who)s: same club or team as %(stay)s.",
        "count",
    ),
    "others_mates all": gettext_lazy("All others with %(points)s share a club or team with %(stay)s."),
    "others_elsewhere": gettext_lazy("With %(anybody)s for %(who)s, another table would be a rematch."),
    "others_elsewhere mates": gettext_lazy(
        "With %(anybody)s for %(who)s, another table would be a rematch or club-mates."
    ),
    "others_down": gettext_lazy("With %(anybody)s for %(who)s, more players would be paired down."),
    "others_farther": gettext_lazy("With %(anybody)s for %(who)s, score gaps would grow."),
    "others_floats": gettext_lazy("With %(anybody)s for %(who)s, more players would float again."),
    "others_places": gettext_lazy("With %(anybody)s for %(who)s, rank gaps would grow."),
    "others_better": gettext_lazy("With %(anybody)s for %(who)s, the round would be better: it isn't proved best."),
    "others_same": gettext_lazy("The draw chose %(who)s over %(people)s."),
    "others_same all": gettext_lazy("The draw chose %(who)s among all with %(points)s."),
    "others_rule": ngettext_lazy(
        "%(who)s or %(count)d other: decided by draw or the organiser's rule.",
        "%(who)s or %(count)d others: decided by draw or the organiser's rule.",
        "count",
    ),
    "looked_at": ngettext_lazy(
        "Only the first %(count)d of many was compared.",
        "Only the first %(count)d of many were compared.",
        "count",
    ),
    "met_in_group": gettext_lazy("%(who)s met %(people)s (of %(others)d others with %(points)s)."),
    "club_in_group": gettext_lazy("%(who)s shares a club with %(people)s (of %(others)d others with %(points)s)."),
    "team_in_group": gettext_lazy("%(who)s shares a team with %(people)s (of %(others)d others with %(points)s)."),
    "lot": gettext_lazy("Decided by the draw between equal pairings."),
    "lot_or_rule": gettext_lazy("Perhaps decided by the draw or the organiser's rule."),
    "met_before": ngettext_lazy("They met before.", "They met %(times)d times before.", "times"),
    "met_before first": gettext_lazy("No pairing of this round has fewer rematches."),
    "met_before proved": gettext_lazy("No equally valid pairing has fewer rematches."),
    "mates_meet": gettext_lazy("They share a club or team."),
    "mates_meet hard": gettext_lazy("No pairing keeps the event's rules better."),
    "mates_meet proved": gettext_lazy("To separate more club-mates, you need more rematches."),
    "locked": gettext_lazy("The organiser fixed this table first."),
    "by_hand": gettext_lazy("Staff set this table by hand."),
    "bye_awarded": gettext_lazy("This bye was requested or awarded first."),
    "bye_lowest": gettext_lazy("%(who)s is one of %(count)d with the lowest score for a bye (%(points)s)."),
    "bye_lowest alone": gettext_lazy("%(who)s (%(points)s) has the lowest score for a bye."),
    "bye_had": ngettext_lazy(
        "%(people)s has no more points, but had a bye.",
        "%(people)s have no more points, but had a bye.",
        "count",
    ),
    "bye_all_had": gettext_lazy("Everyone eligible has had a bye."),
    "bye_again": ngettext_lazy(
        "%(who)s had a bye before; %(count)d eligible player had none.",
        "%(who)s had a bye before; %(count)d eligible players had none.",
        "count",
    ),
    "bye_higher": ngettext_lazy(
        "%(count)d eligible player has fewer points.",
        "%(count)d eligible players have fewer points.",
        "count",
    ),
    "bye_higher unproved": gettext_lazy("This bye isn't proved best."),
    "bye_higher proved": gettext_lazy("A bye there would cause more rematches."),
    "bye_higher rules": gettext_lazy("A bye there would cause more rematches or break a rule."),
    "bracket": gettext_lazy("Bracket: seed %(seed)d, %(who)s, vs. seed %(other_seed)d, %(stay)s."),
    "walkover": gettext_lazy("%(stay)s dropped, so %(who)s advances."),
    "berger": gettext_lazy("Round %(round)d of a round robin."),
    "berger_bye": gettext_lazy("Odd player count: %(who)s has no opponent."),
    "opponent_left": gettext_lazy("%(stay)s dropped, so %(who)s has a bye."),
    "table_new": gettext_lazy("Nobody at this table met before."),
    "table_met": ngettext_lazy(
        "%(count)d pair at this table met before.", "%(count)d pairs at this table met before.", "count"
    ),
    "table_seats": gettext_lazy("Seats are turn order and are shared out evenly."),
    "table_bye": gettext_lazy("There are too few seats: %(who)s has no table."),
    "proved": gettext_lazy("Proved: no pairing keeps the rules better."),
    "not_proved": gettext_lazy("A better pairing may exist."),
    "gap_second_byes": gettext_lazy("Second byes: %(ours)d, at best %(least)d."),
    "gap_rematches": gettext_lazy("Rematches: %(ours)d, at best %(least)d."),
    "gap_club_pairs": gettext_lazy("Paired club-mates: %(ours)d, at best %(least)d."),
    "gap_bye_score": gettext_lazy("Points of the bye: %(ours)d, at best %(least)d."),
    "gap_downfloats": gettext_lazy("Paired down: %(ours)d, at best %(least)d."),
    "gap_sum_sq_diff": gettext_lazy("Squared point gaps: %(ours)d, at best %(least)d."),
    "gap_finish": gettext_lazy("Last criterion: %(ours)d, at best %(least)d."),
    "gap_wrong_sizes": gettext_lazy("Tables of other sizes: %(ours)d, at best %(least)d."),
    "gap_repeats": gettext_lazy("Repeat meetings: %(ours)d, at best %(least)d."),
    "gap_spread": gettext_lazy("Squared point gaps at tables: %(ours)d, at best %(least)d."),
    "gap_off_size": gettext_lazy("Turns at larger or smaller tables: %(ours)d, at best %(least)d."),
    "gap_seats": gettext_lazy("Repeated seats: %(ours)d, at best %(least)d."),
    "gap_targets": gettext_lazy("Repeated neighbours: %(ours)d, at best %(least)d."),
    "table_repeats": ngettext_lazy(
        "%(count)d pair meets again at a table.", "%(count)d pairs meet again at a table.", "count"
    ),
    "table_repeats none": gettext_lazy("At no table do two players meet again."),
    "table_repeats squared": gettext_lazy("Repeat meetings: %(count)d. A third meeting counts 4."),
    "table_repeats least": gettext_lazy("No seating has fewer."),
    "table_spread": gettext_lazy("Squared point gaps at tables: %(count)d in all."),
    "table_spread none": gettext_lazy("All players at a table have the same score."),
    "table_spread least": gettext_lazy("No equally good seating has less."),
    "round_rematches": ngettext_lazy("%(count)d rematch.", "%(count)d rematches.", "count"),
    "round_rematches none": gettext_lazy("There are no rematches."),
    "round_rematches least": gettext_lazy("No equally valid pairing has fewer."),
    "round_squares": gettext_lazy("Squared point gaps: %(count)d in all."),
    "round_squares none": gettext_lazy("All opponents have equal scores."),
    "round_squares least": gettext_lazy("No otherwise equal pairing has less."),
}
"""By code and variant."""


def tell(reasons: Iterable[Reason], names: Names) -> list[str]:
    """The reasons in words, one text each in their order; a code that nobody knows any more is left out."""
    return [_describe(each, names) for each in reasons if each.code in SENTENCES]


def has_third_meetings(repeats: int) -> bool:
    """Whether repeat meetings may be fewer pairs than they count: c earlier meetings of a pair count c squared."""
    return repeats >= 4


def ids_in(reasons: Iterable[Reason]) -> set[int]:
    """The ids of everybody whose name the texts need."""
    found: set[int] = set()
    for each in reasons:
        found.update(_numbers(each, "ids"), *(_numbers(each, key) for key in ("who", "stay")))
    return found


def _describe(reason: Reason, names: Names) -> str:
    values = _values(reason, names)
    return " ".join(str(SENTENCES[key] % values) for key in _keys(reason))


def _keys(reason: Reason) -> tuple[str, ...]:
    """The sentences that say a reason."""
    code, has = reason.code, reason.params.get
    match code:
        case "same_score":
            return (f"{code} only" if has("count") == 2 else code,)
        case "group_odd":
            if has("out"):
                return (f"{code} rest",)
            return (f"{code} taken" if has("taken") else f"{code} alone" if has("count") == 1 else code,)
        case "others_met" | "others_mates" | "others_same":
            return (f"{code} all" if _is_everybody(reason) else code,)
        case "others_elsewhere":
            return (f"{code} mates" if has("mates") else code,)
        case "met_before":
            return (code, *((f"{code} first" if has("first") else f"{code} proved",) if has("proved") else ()))
        case "mates_meet":
            return (code, *((f"{code} hard" if has("hard") else f"{code} proved",) if has("proved") else ()))
        case "bye_lowest":
            return (f"{code} alone" if has("count") == 1 else code,)
        case "bye_higher":
            return (code, f"{code} {'unproved' if not has('proved') else 'rules' if has('rules') else 'proved'}")
        case "round_rematches" | "round_squares" | "table_repeats" | "table_spread":
            if not has("count"):
                return (f"{code} none",)
            squared = code == "table_repeats" and has_third_meetings(sum(_numbers(reason, "count")))
            counted = f"{code} squared" if squared else code
            return (counted, f"{code} least") if has("least") else (counted,)
        case _:
            return ("not_proved", code) if code.startswith("gap_") else (code,)


def _values(reason: Reason, names: Names) -> dict[str, object]:
    """Everything a sentence may speak of: numbers, names, points with their word, people."""
    values: dict[str, object] = dict(reason.params)
    for key in ("who", "stay"):
        values.update((key, names(each)) for each in _numbers(reason, key))
    for key in ("points", "above", "below"):
        values.update((key, _points(each)) for each in _numbers(reason, key))
    values["people"] = _people([names(each) for each in _numbers(reason, "ids")], sum(_numbers(reason, "count")))
    values["anybody"] = _("anybody else with %(points)s") % values if _is_everybody(reason) else values["people"]
    return values


def _is_everybody(reason: Reason) -> bool:
    """Whether it is about all others of a score, and more than one."""
    return reason.params.get("all") == 1 and reason.params.get("count") != 1


def _numbers(reason: Reason, key: str) -> tuple[int, ...]:
    value = reason.params.get(key, ())
    return value if isinstance(value, tuple) else (value,)


def _points(count: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def _people(named: list[str], count: int) -> str:
    """The names, and how many more there are: “Ada, Ben and 3 others”."""
    more = count - len(named)
    if named and more > 0:
        text = ngettext("%(names)s and %(count)d other", "%(names)s and %(count)d others", more)
        return text % {"names": ", ".join(named), "count": more}
    if len(named) < 2:
        return "".join(named)
    return _("%(names)s and %(last)s") % {"names": ", ".join(named[:-1]), "last": named[-1]}
