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
    "same_score only": gettext_lazy("Both have %(points)s; nobody else has."),
    "paired_down": gettext_lazy("%(who)s (%(above)s) is paired down to %(stay)s (%(below)s)."),
    "group_odd": gettext_lazy("%(count)d players have %(points)s: an odd number, so not all can meet their like."),
    "group_odd alone": gettext_lazy("Nobody else has %(points)s."),
    "group_odd rest": gettext_lazy("Of the players with %(points)s an odd number was left to pair with each other."),
    "group_odd taken": ngettext_lazy(
        "Of %(count)d players with %(points)s, %(taken)d meets somebody with more: an odd number is left.",
        "Of %(count)d players with %(points)s, %(taken)d meet somebody with more: an odd number is left.",
        "taken",
    ),
    "group_rest": ngettext_lazy(
        "%(count)d player with %(points)s is paired down in this round.",
        "%(count)d players with %(points)s are paired down in this round.",
        "count",
    ),
    "down_too_met": ngettext_lazy(
        "%(people)s is paired down too, but had played %(who)s before.",
        "%(people)s are paired down too, but had played %(who)s before.",
        "count",
    ),
    "others_met": ngettext_lazy(
        "%(people)s had played %(stay)s before, and so is not here instead of %(who)s.",
        "%(people)s had played %(stay)s before, and so are not here instead of %(who)s.",
        "count",
    ),
    "others_met all": gettext_lazy("Everybody else with %(points)s had played %(stay)s before."),
    "others_mates": ngettext_lazy(
        "%(people)s is of the same club or team as %(stay)s, and so is not here instead of %(who)s.",
        "%(people)s are of the same club or team as %(stay)s, and so are not here instead of %(who)s.",
        "count",
    ),
    "others_mates all": gettext_lazy("Everybody else with %(points)s is of the same club or team as %(stay)s."),
    "others_elsewhere": gettext_lazy(
        "With %(anybody)s instead of %(who)s, two who met before would meet at another table."
    ),
    "others_elsewhere mates": gettext_lazy(
        "With %(anybody)s instead of %(who)s, two who met before or are mates would meet at another table."
    ),
    "others_down": gettext_lazy(
        "With %(anybody)s instead of %(who)s, more players of a higher score would be paired down."
    ),
    "others_farther": gettext_lazy("With %(anybody)s instead of %(who)s, opponents would be further apart in points."),
    "others_floats": gettext_lazy(
        "With %(anybody)s instead of %(who)s, more players would be paired up or down once more."
    ),
    "others_places": gettext_lazy(
        "With %(anybody)s instead of %(who)s, opponents would be further apart in the standings."
    ),
    "others_better": gettext_lazy(
        "With %(anybody)s instead of %(who)s, the round would be better: it is not proved to be the best."
    ),
    "others_same": gettext_lazy("%(people)s could be here instead of %(who)s just as well: the lot decided."),
    "others_same all": gettext_lazy(
        "Anybody else with %(points)s could be here instead of %(who)s just as well: the lot decided."
    ),
    "others_rule": ngettext_lazy(
        "Between %(who)s and %(count)d other, the lot or a rule of the organiser decided.",
        "Between %(who)s and %(count)d others, the lot or a rule of the organiser decided.",
        "count",
    ),
    "looked_at": ngettext_lazy(
        "Of many others, the first %(count)d was looked at for this text.",
        "Of many others, the first %(count)d were looked at for this text.",
        "count",
    ),
    "met_in_group": gettext_lazy("Of the %(others)d others with %(points)s, %(who)s had played %(people)s."),
    "club_in_group": gettext_lazy("Of the %(others)d others with %(points)s, %(who)s shares a club with %(people)s."),
    "team_in_group": gettext_lazy("Of the %(others)d others with %(points)s, %(who)s shares a team with %(people)s."),
    "lot": gettext_lazy("Other pairings would have been just as good: the lot decided."),
    "lot_or_rule": gettext_lazy(
        "Other pairings may have been just as good: the lot or a rule of the organiser decided."
    ),
    "met_before": ngettext_lazy("They met before.", "They met %(times)d times before.", "times"),
    "met_before first": gettext_lazy("No pairing of this round has fewer rematches."),
    "met_before proved": gettext_lazy("No pairing that keeps the rules of this event as well has fewer rematches."),
    "mates_meet": gettext_lazy("They are of the same club or team."),
    "mates_meet hard": gettext_lazy("No pairing of this round keeps the rules of this event better."),
    "mates_meet proved": gettext_lazy("No pairing with as few rematches keeps more mates apart."),
    "locked": gettext_lazy("The organiser set this table before the others were paired."),
    "by_hand": gettext_lazy("The staff put this table together by hand."),
    "bye_awarded": gettext_lazy("This bye was asked for or awarded before the round was paired."),
    "bye_lowest": gettext_lazy(
        "%(who)s is one of %(count)d with the lowest score (%(points)s) of those who could have the bye."
    ),
    "bye_lowest alone": gettext_lazy("%(who)s (%(points)s) has the lowest score of those who could have the bye."),
    "bye_had": ngettext_lazy(
        "%(people)s has no more points, but had a bye before.",
        "%(people)s have no more points, but had a bye before.",
        "count",
    ),
    "bye_all_had": gettext_lazy("Everybody who could have the bye had one before."),
    "bye_again": ngettext_lazy(
        "%(who)s had a bye before, and %(count)d player who could have it had none.",
        "%(who)s had a bye before, and %(count)d players who could have it had none.",
        "count",
    ),
    "bye_higher": ngettext_lazy(
        "%(count)d player who could have the bye has fewer points.",
        "%(count)d players who could have the bye have fewer points.",
        "count",
    ),
    "bye_higher unproved": gettext_lazy("It is not proved that the bye belongs here."),
    "bye_higher proved": gettext_lazy("With the bye there, the round would have more rematches."),
    "bye_higher rules": gettext_lazy(
        "With the bye there, the round would have more rematches or break a rule of the event."
    ),
    "bracket": gettext_lazy(
        "The bracket brings them together: seed %(seed)d, %(who)s, and seed %(other_seed)d, %(stay)s."
    ),
    "walkover": gettext_lazy("%(stay)s left the event, so %(who)s plays on without playing."),
    "berger": gettext_lazy("Round %(round)d of a round robin, in which everybody meets everybody."),
    "berger_bye": gettext_lazy("The field is odd, and in this round %(who)s has no opponent."),
    "opponent_left": gettext_lazy("%(stay)s left the event, so %(who)s has a bye instead."),
    "table_new": gettext_lazy("Nobody at this table met before."),
    "table_met": ngettext_lazy(
        "%(count)d pair at this table met before.", "%(count)d pairs at this table met before.", "count"
    ),
    "table_seats": gettext_lazy("The seats are the turn order, so shared out that everybody gets each about as often."),
    "table_bye": gettext_lazy("The tables of this event do not seat everybody: %(who)s sits out this round."),
    "proved": gettext_lazy("Proved: by the rules of this event, no pairing of this round is better."),
    "not_proved": gettext_lazy("It is not proved that no pairing of this round is better."),
    "gap_second_byes": gettext_lazy("Second byes: %(ours)d, at least %(least)d in any pairing."),
    "gap_rematches": gettext_lazy("Rematches: %(ours)d, at least %(least)d in any pairing."),
    "gap_club_pairs": gettext_lazy("Pairs of mates: %(ours)d, at least %(least)d in any pairing."),
    "gap_bye_score": gettext_lazy("Points of the bye: %(ours)d, at least %(least)d in any pairing."),
    "gap_downfloats": gettext_lazy("Paired down: %(ours)d, at least %(least)d in any pairing."),
    "gap_sum_sq_diff": gettext_lazy("Squared differences in points: %(ours)d, at least %(least)d in any pairing."),
    "gap_finish": gettext_lazy("What comes last: %(ours)d, at least %(least)d in any pairing."),
    "gap_wrong_sizes": gettext_lazy("Tables of another size than asked: %(ours)d, at least %(least)d in any seating."),
    "gap_repeats": gettext_lazy("Repeat meetings: %(ours)d, at least %(least)d in any seating."),
    "gap_spread": gettext_lazy(
        "Squared differences in points at the tables: %(ours)d, at least %(least)d in any seating."
    ),
    "gap_off_size": gettext_lazy("Turns at larger or smaller tables: %(ours)d, at least %(least)d in any seating."),
    "gap_seats": gettext_lazy("Players in a seat they had before: %(ours)d, at least %(least)d in any seating."),
    "gap_targets": gettext_lazy("Neighbours in turn order once more: %(ours)d, at least %(least)d in any seating."),
    "table_repeats": ngettext_lazy(
        "%(count)d pair meets again at a table.", "%(count)d pairs meet again at a table.", "count"
    ),
    "table_repeats none": gettext_lazy("At no table do two players meet again."),
    "table_repeats squared": gettext_lazy("Repeat meetings: %(count)d. A pair that met twice before counts 4."),
    "table_repeats least": gettext_lazy("No seating has fewer."),
    "table_spread": gettext_lazy("The differences in points at the tables, squared and added up, make %(count)d."),
    "table_spread none": gettext_lazy("All players at a table have the same score."),
    "table_spread least": gettext_lazy("No seating that is as good otherwise makes less."),
    "round_rematches": ngettext_lazy("%(count)d rematch.", "%(count)d rematches.", "count"),
    "round_rematches none": gettext_lazy("Nobody meets an opponent of an earlier round again."),
    "round_rematches least": gettext_lazy("No pairing that keeps the rules of this event as well has fewer."),
    "round_squares": gettext_lazy("The differences in points, squared and added up, make %(count)d."),
    "round_squares none": gettext_lazy("Everybody meets somebody of the same score."),
    "round_squares least": gettext_lazy("No pairing that is as good otherwise makes less."),
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
