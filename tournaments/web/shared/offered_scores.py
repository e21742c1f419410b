"""Which of the usual scores a page offers for a match: those that the service accepts."""

from tournaments.models import Match
from tournaments.penalties.selectors import know_penalties
from tournaments.results.checks import is_possible
from tournaments.results.forms.results import IsOffered
from tournaments.results.forms.scores import Score
from tournaments.web.shared.match_rows import seats_of


def offered_at(match: Match, place: int = 0) -> IsOffered:
    """Whether a match can end with a score as who sits at `place` sees it; after a game loss some are out."""

    def is_offered(score: Score) -> bool:
        know_penalties([match])
        return is_possible(match.round.stage.tournament, match, seats_of(match), score.as_result(place))

    return is_offered
