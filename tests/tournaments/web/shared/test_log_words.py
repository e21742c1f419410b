"""The log's sentences fit where they stand: after a name in a list, and after "You" beside what can be undone."""

from unittest.mock import Mock

import pytest
from django.utils import translation

from tournaments.events.services.events import TRANSITIONS
from tournaments.web.shared import log_words
from tournaments.web.shared.log_words import CHANGES_OF_STATE, SENTENCES

VERBS = {"de": ("hat ", "ist ", "wurde "), "fr": ("a ", "est ", "avez ")}
"""What comes before the sentence already: “Von Ihnen: …”, « Vous avez … »."""


@pytest.mark.parametrize("language", VERBS)
def test_sentences_begin_without_the_verb_that_stands_before_them(language):
    tables = (SENTENCES, log_words.CUTS_BY, log_words.NEEDS, CHANGES_OF_STATE)
    with translation.override(language):
        sentences = [str(each) for table in tables for each in table.values()]
    assert [each for each in sentences if each.startswith(VERBS[language])] == []


def test_every_change_of_state_has_words_of_its_own():
    changes = {(was, to) for was, targets in TRANSITIONS.items() for to in targets}
    assert changes <= CHANGES_OF_STATE.keys()


def test_one_entry_is_no_span_of_numbers():
    entry = Mock(act="entry.registered", subjects={"count": 1, "first_entry": 17, "last_entry": 17})
    assert log_words._sentence_of(entry) % {"first_entry": 17} == "entered no. 17"
    entry.subjects["count"] = 2
    assert log_words._sentence_of(entry) is SENTENCES["entry.registered"]
