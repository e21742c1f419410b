"""Ready-made rules profiles: for the games of this site and in the manner of known systems.

See docs/how-it-works/standings-and-tiebreakers.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules_engine.messages import gettext_noop
from scoring.standings.records import PointsBy, ScoringPolicy

PLACES = ((5, 2), (5, 3, 2), (5, 3, 2, 1), (5, 3, 2, 1, 0), (5, 3, 2, 1, 0, 0))
TABLES_OF_FIVE = ((60, 48, 24, 12), (60, 48, 36, 24, 12))


@dataclass(frozen=True, slots=True)
class Preset:
    """A profile to start from: `name` and `note` (one line) are for organisers to read, marked for translation."""

    key: str
    name: str
    note: str
    policy: ScoringPolicy


BY_PLACE = ScoringPolicy(
    win=5,
    draw=3,
    bye=5,
    bye_games=(1, 0),
    points_by=PointsBy.PLACING,
    placing_points=PLACES,
    tiebreakers=("match_points", "wins", "victory_points", "opponents_score", "head_to_head"),
)
GAMES = (
    Preset(
        "doom_pile",
        gettext_noop("Doom Pile"),
        gettext_noop("3, 1 and 0 points; then opponents' match wins, own and opponents' game wins."),
        ScoringPolicy(),
    ),
    Preset(
        "doomlings",
        gettext_noop("Doomlings"),
        gettext_noop("Points by place at the table; then tables won, all points scored and those of the opponents."),
        BY_PLACE,
    ),
    Preset(
        "doomtrooper",
        gettext_noop("Doomtrooper"),
        gettext_noop(
            "3, 1 and 0 points; then opponents' match wins, their opponents' and the match between those tied."
        ),
        ScoringPolicy(bye_games=(1, 0), tiebreakers=("match_points", "omw", "oomw", "head_to_head")),
    ),
    Preset(
        "dead_or_destroyed",
        gettext_noop("Dead or Destroyed"),
        gettext_noop("3, 1 and 0 points for matches in both roles; then opponents' match wins and games won."),
        ScoringPolicy(tiebreakers=("match_points", "omw", "gw", "ogw", "head_to_head")),
    ),
    Preset(
        "house_game",
        gettext_noop("Your own game"),
        gettext_noop("3, 1 and 0 points; then opponents' match wins, games won and the match between those tied."),
        ScoringPolicy(tiebreakers=("match_points", "omw", "gw", "ogw", "head_to_head")),
    ),
)

SYSTEMS = (
    Preset(
        "duels_third",
        gettext_noop("Duels, floor 1/3"),
        gettext_noop("As Magic events are ranked on Melee: opponents count with 1/3 at least."),
        ScoringPolicy(),
    ),
    Preset(
        "duels_033",
        gettext_noop("Duels, floor 0.33"),
        gettext_noop("As the Magic tournament rules are written: opponents count with 0.33 at least."),
        ScoringPolicy(floor=Fraction(33, 100)),
    ),
    Preset(
        "match_wins",
        gettext_noop("Match wins first"),
        gettext_noop("In the manner of Star Wars: Unlimited: a draw is worth nothing; then opponents' percentages."),
        ScoringPolicy(draw=0, tiebreakers=("wins", "omw", "gw", "ogw")),
    ),
    Preset(
        "half_draws",
        gettext_noop("Resistance, draws as half"),
        gettext_noop(
            "In the manner of Pokémon: opponents' wins without byes, floor 1/4, the late below those tied, then a lot."
        ),
        ScoringPolicy(
            floor=Fraction(1, 4),
            tiebreakers=(
                "match_points",
                "on_time",
                "opponents_win",
                "opponents_opponents_win",
                "head_to_head",
                "lot",
            ),
        ),
    ),
    Preset(
        "duel_number",
        gettext_noop("One number"),
        gettext_noop("In the manner of Yu-Gi-Oh: points and two averages of opponents, three digits each."),
        ScoringPolicy(floor=Fraction(0), tiebreakers=("match_points", "duel_number")),
    ),
    Preset(
        "double_sided",
        gettext_noop("Double-sided rounds"),
        gettext_noop("In the manner of Netrunner: 3 points a game, 6 for a sweep; then strength of schedule."),
        ScoringPolicy(
            win=6,
            draw=3,
            bye=6,
            points_by=PointsBy.GAMES,
            floor=Fraction(0),
            tiebreakers=("match_points", "strength_of_schedule", "extended_strength"),
        ),
    ),
    Preset(
        "two_games",
        gettext_noop("Two games a match"),
        gettext_noop("7 points for 2-0, 3 each for 1-1, 3 for 1-0 with a game left open, nothing for an agreed draw."),
        ScoringPolicy(win=7, draw=3, bye=7, points_by=PointsBy.SCORE, score_points=((1, 0, 3), (0, 0, 0))),
    ),
    Preset(
        "chess",
        gettext_noop("Chess Swiss"),
        gettext_noop("In the manner of FIDE: 1, ½ and 0, a bye asked for ½; head-to-head, Buchholz, Sonneborn-Berger."),
        ScoringPolicy(
            win=2,
            bye=2,
            requested_bye=1,
            point_unit=2,
            floor=Fraction(0),
            bye_games=(1, 0),
            tiebreakers=(
                "match_points",
                "head_to_head",
                "buchholz_cut_1",
                "buchholz",
                "sonneborn_berger",
                "progressive",
                "wins_played",
            ),
        ),
    ),
    Preset(
        "total_score",
        gettext_noop("Total score"),
        gettext_noop("All points scored at the tables; then first, second and third places and the opponents' scores."),
        replace(BY_PLACE, tiebreakers=("victory_points", "firsts", "seconds", "thirds", "opponents_score")),
    ),
    Preset(
        "tables_of_five",
        gettext_noop("Tables of four and five"),
        gettext_noop("In the manner of VEKN: tables won, victory points, points by place, a lot at last."),
        ScoringPolicy(
            win=60,
            draw=48,
            bye=36,
            bye_games=(1, 0),
            points_by=PointsBy.PLACING,
            placing_points=TABLES_OF_FIVE,
            tiebreakers=("table_wins", "victory_points", "table_points", "lot"),
        ),
    ),
    Preset(
        "pods",
        gettext_noop("Pods"),
        gettext_noop(
            "5 points for a win, 1 each for a shared win or a draw; a bye counts three opponents who win one in five."
        ),
        ScoringPolicy(
            win=5,
            bye=5,
            bye_games=(1, 0),
            floor=Fraction(1, 5),
            bye_opponents=3,
            tiebreakers=("match_points", "omw", "oomw"),
        ),
    ),
)

PRESETS: Mapping[str, Preset] = {preset.key: preset for preset in (*GAMES, *SYSTEMS)}
