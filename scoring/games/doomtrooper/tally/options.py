"""What a table of Doomtrooper may agree on: how the players face each other, the target, sabotage and team pools."""

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.options import Option

MODE = Option(
    key="mode",
    label=gettext_noop("Who plays against whom"),
    usual="free_for_all",
    choices=(
        ("free_for_all", gettext_noop("Every player for themselves.")),
        ("primary_targets", gettext_noop("Primary target: left neighbour. Others cost 2 Destiny.")),
        ("teams", gettext_noop("Teams: one seat and one total a team.")),
    ),
    clause="DT-MULTI",
)
TARGET = Option(
    key="target",
    label=gettext_noop("Promotion Points to win"),
    usual=40,
    help=gettext_noop("First games 25, usually 40, teams 50. Empty: no target."),
    said=gettext_noop("Target: %(value)s Promotion Points."),
    clause="DT-TARGET",
    of_stage=True,
)
SABOTAGE = Option(
    key="sabotage",
    label=gettext_noop("Sabotage"),
    usual="off",
    choices=(
        ("off", gettext_noop("Sabotage is not played.")),
        ("on", gettext_noop("Sabotage is played, once a target and turn.")),
        ("multiple", gettext_noop("Sabotage can repeat within a target and turn.")),
    ),
    clause="DT-SABOTAGE",
)
TEAM_POOL = Option(
    key="team_pool",
    label=gettext_noop("What a team shares"),
    usual="destiny",
    choices=(
        ("destiny", gettext_noop("Team-mates share Destiny Points (book).")),
        ("promotion", gettext_noop("Team-mates share Promotion Points (1997 rules).")),
    ),
    clause="DT97-TEAMPOOL",
    only_with=("mode", "teams"),
)
RULES_1997 = Option(
    key="rules_1997",
    label=gettext_noop("1997 rules for empty draw piles and ties"),
    usual=False,
    help=gettext_noop("Empty draw piles don't end the game; a tie at the target is played on to 10 more."),
    said=gettext_noop("1997 rules: empty draw piles don't end the game; a tie at the target goes to 10 more."),
    clause="DT97-OUT",
)
TIME = Option(
    key="time",
    label=gettext_noop("When time is called"),
    usual="1997",
    choices=(
        (
            "1997",
            gettext_noop("Time: finish the turn; then Promotion Points, then warriors in play, then 3 turns each."),
        ),
        ("one_turn", gettext_noop("Time: finish the turn and play one more each; then as by the rules of 1997.")),
        ("none", gettext_noop("No time limit.")),
    ),
    help=gettext_noop("The rulebook has no time limit."),
    clause="DT97-TIME",
)
OPTIONS = (MODE, TARGET, SABOTAGE, TEAM_POOL, RULES_1997, TIME)
