"""What players of Dead or Destroyed may agree on: whether the rule of the book or its second summon example is right.

The example is the usual reading: the book's own figures are met, and the pages tell where the rule says otherwise.
"""

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.options import Option

SUMMON_READING = Option(
    key="summon_reading",
    label=gettext_noop("What a later summon straight to the Battlefield costs"),
    usual="example",
    choices=(
        ("example", gettext_noop("A later summon to the Battlefield costs no more, as in the book's second example.")),
        ("rule", gettext_noop("Straight to the Battlefield costs 1 more for every summon, as the rule says.")),
    ),
    clause="DD-SUMMON",
)
OPTIONS = (SUMMON_READING,)
