"""What players of Dead or Destroyed may agree on: whether the rule of the book or its second summon example is right.

The example is the usual reading: the book's own figures are met, and the pages tell where the rule says otherwise.
"""

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.options import Option

SUMMON_READING = Option(
    key="summon_reading",
    label=gettext_noop("Later summons to the Battlefield"),
    usual="example",
    choices=(
        ("example", gettext_noop("Later summons cost no extra (the book's second example).")),
        ("rule", gettext_noop("Every summon to the Battlefield costs 1 more (the rule).")),
    ),
    clause="DD-SUMMON",
)
OPTIONS = (SUMMON_READING,)
