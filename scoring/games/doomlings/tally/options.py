"""What a table of Doomlings may agree on: how ties end, whether limits are checked, and the variations of the book."""

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.options import Option

TIES = Option(
    key="ties",
    label=gettext_noop("Ties"),
    usual="shared",
    choices=(
        ("shared", gettext_noop("Players with equal points share the win.")),
        ("draw", gettext_noop("Tied players draw in turn order: highest face wins.")),
    ),
    clause="DL-TIE",
)
SECOND_DOMINANT = Option(
    key="second_dominant",
    label=gettext_noop("Titan's Call: the second amount replaces the first"),
    usual="added",
    choices=(
        ("added", ""),
        ("instead", gettext_noop("Titan's Call: the second amount replaces the first.")),
    ),
    help=gettext_noop("The card doesn't say if both amounts add up."),
)
CHECK_LIMITS = Option(
    key="check_limits",
    label=gettext_noop("Return sheets that break a limit"),
    usual=True,
    help=gettext_noop("Dominants, Gene Pools, copies per box. If off: a notice."),
    said=gettext_noop("Broken limits give a notice only."),
)
STUNTED_GROWTH = Option(
    key="stunted_growth",
    label=gettext_noop("Stunted Growth"),
    usual=False,
    help=gettext_noop("No turns on a catastrophe."),
    said=gettext_noop("Stunted Growth: no turns on a catastrophe."),
    clause="DL-V-SHORT",
)
PROSPEROUS_WORLD = Option(
    key="prosperous_world",
    label=gettext_noop("Prosperous World"),
    usual="none",
    choices=(
        ("none", ""),
        ("3x4", gettext_noop("Prosperous World: 3 piles of 4 ages, ends on catastrophe 3.")),
        ("4x3_third", gettext_noop("Prosperous World: 4 piles of 3 ages, ends on catastrophe 3.")),
        ("4x3_fourth", gettext_noop("Prosperous World: 4 piles of 3 ages, ends on catastrophe 4.")),
    ),
    help=gettext_noop("2 to 4 players. The book doesn't say which of 4 catastrophes is last."),
    clause="DL-V-LONG",
    players=range(2, 5),
)
STRATEGIC_START = Option(
    key="strategic_start",
    label=gettext_noop("Strategic Start"),
    usual=False,
    help=gettext_noop("Draft the first 5 traits one by one."),
    said=gettext_noop("Strategic Start: draft the first 5 traits one by one."),
    clause="DL-V-START",
)
INTELLIGENT_DESIGN = Option(
    key="intelligent_design",
    label=gettext_noop("Intelligent Design"),
    usual=False,
    help=gettext_noop("2 to 4 players, each drafts 28 traits."),
    said=gettext_noop("Intelligent Design: each drafts 28 traits."),
    clause="DL-V-DESIGN",
    players=range(2, 5),
)
GENETIC_MISHAP = Option(
    key="genetic_mishap",
    label=gettext_noop("Genetic Mishap"),
    usual=False,
    help=gettext_noop("One player, the Lab doesn't score."),
    said=gettext_noop("Genetic Mishap: one player, the Lab doesn't score."),
    clause="DL-V-SOLO",
    players=range(1, 2),
)
OPTIONS = (
    TIES, SECOND_DOMINANT, CHECK_LIMITS, STUNTED_GROWTH, PROSPEROUS_WORLD, STRATEGIC_START, INTELLIGENT_DESIGN,
    GENETIC_MISHAP,
)  # fmt: skip
