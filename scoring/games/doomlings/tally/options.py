"""What a table of Doomlings may agree on: how ties end, whether limits are checked, and the variations of the book."""

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.options import Option

TIES = Option(
    key="ties",
    label=gettext_noop("Ties"),
    usual="shared",
    choices=(
        ("shared", gettext_noop("Players with equal points share the win.")),
        ("draw", gettext_noop("Players with equal points draw a trait in turn order: the highest face wins.")),
    ),
    clause="DL-TIE",
)
SECOND_DOMINANT = Option(
    key="second_dominant",
    label=gettext_noop("Titan's Call: the amount for a second dominant replaces the first"),
    usual="added",
    choices=(
        ("added", ""),
        ("instead", gettext_noop("Titan's Call pays for the second dominant in place of the first.")),
    ),
    help=gettext_noop("The card does not say whether the second amount comes on top of the first."),
)
CHECK_LIMITS = Option(
    key="check_limits",
    label=gettext_noop("A sheet that breaks a limit goes back to the table"),
    usual=True,
    help=gettext_noop("Dominants, Gene Pools and the copies in the box. Otherwise they are only told."),
    said=gettext_noop("Broken limits are told and do not stop a sheet."),
)
STUNTED_GROWTH = Option(
    key="stunted_growth",
    label=gettext_noop("Stunted Growth"),
    usual=False,
    help=gettext_noop("Nobody takes a turn on a catastrophe."),
    said=gettext_noop("Stunted Growth: nobody takes a turn on a catastrophe."),
    clause="DL-V-SHORT",
)
PROSPEROUS_WORLD = Option(
    key="prosperous_world",
    label=gettext_noop("Prosperous World"),
    usual="none",
    choices=(
        ("none", ""),
        ("3x4", gettext_noop("Prosperous World: three piles of 4 ages, the third catastrophe ends the world.")),
        ("4x3_third", gettext_noop("Prosperous World: four piles of 3 ages, the third catastrophe ends the world.")),
        ("4x3_fourth", gettext_noop("Prosperous World: four piles of 3 ages, the fourth catastrophe ends the world.")),
    ),
    help=gettext_noop("For 2 to 4 players. The book does not say which of four catastrophes ends the world."),
    clause="DL-V-LONG",
    players=range(2, 5),
)
STRATEGIC_START = Option(
    key="strategic_start",
    label=gettext_noop("Strategic Start"),
    usual=False,
    help=gettext_noop("Players pick their first 5 traits one by one and pass the rest on."),
    said=gettext_noop("Strategic Start: players pick their first 5 traits one by one and pass the rest on."),
    clause="DL-V-START",
)
INTELLIGENT_DESIGN = Option(
    key="intelligent_design",
    label=gettext_noop("Intelligent Design"),
    usual=False,
    help=gettext_noop("For 2 to 4 players: everybody drafts a deck of 28 traits."),
    said=gettext_noop("Intelligent Design: everybody drafts a deck of 28 traits."),
    clause="DL-V-DESIGN",
    players=range(2, 5),
)
GENETIC_MISHAP = Option(
    key="genetic_mishap",
    label=gettext_noop("Genetic Mishap"),
    usual=False,
    help=gettext_noop("For one player, with a Lab whose cards do not score."),
    said=gettext_noop("Genetic Mishap: one player with a Lab whose cards do not score."),
    clause="DL-V-SOLO",
    players=range(1, 2),
)
OPTIONS = (
    TIES, SECOND_DOMINANT, CHECK_LIMITS, STUNTED_GROWTH, PROSPEROUS_WORLD, STRATEGIC_START, INTELLIGENT_DESIGN,
    GENETIC_MISHAP,
)  # fmt: skip
