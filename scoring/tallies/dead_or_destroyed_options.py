"""What players of Dead or Destroyed may agree on: which reading of the book's second summon example is right."""

from rules_engine.messages import gettext_noop
from scoring.tallies.options import Option

SUMMON_READING = Option(
    key="summon_reading",
    label=gettext_noop("What a later summon straight to the Battlefield costs"),
    usual="rule",
    choices=(
        ("rule", gettext_noop("Straight to the Battlefield costs 1 more for every summon, as the rule says.")),
        ("example", gettext_noop("A later summon to the Battlefield costs no more, as in the book's second example.")),
    ),
    clause="DD-SUMMON",
)
OPTIONS = (SUMMON_READING,)
