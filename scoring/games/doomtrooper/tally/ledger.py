"""The pools of a Doomtrooper game as they stand after some acts, every change as a line, and what was unlawful."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules_engine.messages import Message, Sentence, gettext_noop
from scoring.games.doomtrooper.tally.sheet import Act, Sheet
from scoring.sheets.tallies.json_reader import bad_sheet

DESTINY = 5
TEAM_DESTINY = 10
"""What a player, and a team that shares its Destiny Points, begin with (DT-START, DT-MULTI)."""

END_RULES = {
    "target": "DT-TARGET", "draw_piles": "DT-OUT", "no_warrior": "DT-NOWARRIOR",
    "time": "DT97-TIME", "card": "DT-CARDRULE", "last_one": "DT-OWN",
}  # fmt: skip
"""The clause by which a game ended, for each way to end."""


@dataclass(slots=True)
class Ledger:
    """A game in progress: `replay` alone changes it.

    `promotion` and `lines` are by side, `destiny` by who keeps it: a member, or the name of a team that shares it.
    `turn` is whose turn it is, `turns` how many everybody has begun, `sabotaged` who was sabotaged in this turn.
    `fights` says of whom it is known whether they have a warrior that can fight, `warriors` how many of them the acts
    written, as far as they did. `goal` wins; once a tie is played off, only the sides `tied` can win. `time` is how far
    the call of time has come: "turn", "last_turns", "warriors" or "turns"; `counts` are the warriors in play of each
    side since, `turns_left` the turns of everybody tied, or of everybody.
    """

    sheet: Sheet
    promotion: list[int] = field(default_factory=list)
    destiny: dict[str, int] = field(default_factory=dict)
    lines: list[list[dict[str, Any]]] = field(default_factory=list)
    violations: list[dict[str, Any]] = field(default_factory=list)
    turn: str | None = None
    turns: dict[str, int] = field(default_factory=dict)
    sabotaged: set[str] = field(default_factory=set)
    fights: dict[str, bool] = field(default_factory=dict)
    warriors: dict[str, int] = field(default_factory=dict)
    countdown: dict[str, int] = field(default_factory=dict)
    piles_out: set[str] = field(default_factory=set)
    out: dict[str, str] = field(default_factory=dict)
    goal: int | None = None
    tied: tuple[int, ...] = ()
    time: str = ""
    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    turns_left: dict[str, int] = field(default_factory=dict)
    winners: tuple[int, ...] = ()
    ended_by: str | None = None
    ended_at: int | None = None

    @property
    def shares_destiny(self) -> bool:
        """Whether the members of a side have one pool of Destiny Points (the book's teams)."""
        return self.sheet.is_teams and self.sheet.options.team_pool == "destiny"

    @property
    def playing(self) -> list[str]:
        """Everybody still in, in turn order."""
        return [person for person in self.sheet.places if person not in self.out]

    @property
    def sides_playing(self) -> list[int]:
        """The places of the sides with a member still in."""
        return sorted({self.sheet.places[person] for person in self.playing})

    @property
    def contenders(self) -> list[int]:
        """The places of the sides that can still win."""
        return [place for place in self.sides_playing if not self.tied or place in self.tied]

    @property
    def counts_turns_without_warrior(self) -> bool:
        """Whether DT-NOWARRIOR is in force: where sabotage is played, from the first empty draw pile on."""
        return self.sheet.options.sabotage == "off" or bool(self.piles_out)

    def leaders(self, among: Sequence[int]) -> list[int]:
        """Those with the most Promotion Points."""
        most = max(self.promotion[place] for place in among)
        return [place for place in among if self.promotion[place] == most]

    def destiny_of(self, place: int) -> int:
        """The Destiny Points of a side, those of its members together."""
        return sum(self.destiny[owner] for owner in self._owners(place))

    def destiny_for(self, act: Act) -> int:
        """The Destiny Points that the player of an act may spend."""
        return self.destiny[self._owner(act)]

    def change(self, act: Act, promotion: int, destiny: int, **details: Any) -> None:
        """Add what an act brings to the pools of its player, take what it costs, and write the line.

        No pool falls below 0: the line has what was really taken.
        """
        place = _placed(act)
        promotion = max(promotion, -self.promotion[place])
        self.promotion[place] += promotion
        if destiny:
            owner = self._owner(act)
            destiny = max(destiny, -self.destiny[owner])
            self.destiny[owner] += destiny
        line = {"card": act.facts.get("card", ""), "kind": act.kind, "points": promotion, "destiny": destiny, **details}
        self._write(place, line, act.number, act.member)

    def object_to(self, act: Act, rule: str, template: str, **params: Any) -> None:
        """Tell that an act is against a clause: what is wrong and what to do."""
        name = act.member or (None if act.place is None else self.sheet.sides[act.place].name)
        sentence = Message(template, params)
        message = Message(gettext_noop("%(place)s: %(sentence)s"), {"place": act.title, "sentence": sentence})
        self._object(rule, name, message, act)

    def object(self, rule: str, name: str | None, template: str, **params: Any) -> None:
        """Tell that the table is against a clause."""
        self._object(rule, name, Message(template, params), None)

    def _object(self, rule: str, name: str | None, message: Message, act: Act | None) -> None:
        cards = [act.facts["card"]] if act is not None and act.facts.get("card") else []
        number = act.number if act is not None else None
        self.violations.append(
            {"rule": rule, "player": name, "message": Sentence(message), "cards": cards, "act": number}
        )

    def finish(self, winners: Sequence[int], how: str, act: Act | None) -> None:
        self.winners, self.ended_by, self.ended_at = tuple(winners), how, act.number if act else None

    def _owner(self, act: Act) -> str:
        """Who keeps the Destiny Points that an act is about; DomainError "bad_sheet" where a member must be named."""
        side = self.sheet.sides[_placed(act)]
        if self.shares_destiny:
            return side.name
        if act.member is None:
            raise bad_sheet(
                gettext_noop("Name the member of “%(team)s”: Destiny Points are personal."),
                place=act.title, team=side.name,
            )  # fmt: skip
        return act.member

    def _owners(self, place: int) -> tuple[str, ...]:
        """Who keeps Destiny Points in a side: the team, or each of its members."""
        side = self.sheet.sides[place]
        return (side.name,) if self.shares_destiny else side.members

    def _write(self, place: int, line: dict[str, Any], number: int | None, member: str | None) -> None:
        line["act"] = number
        if self.sheet.is_teams and member is not None:
            line["member"] = member
        self.lines[place].append(line)

    def begin(self) -> None:
        """Hand out the points everybody starts with."""
        self.goal = self.sheet.options.target
        for place in range(len(self.sheet.sides)):
            self.promotion.append(0)
            self.lines.append([])
            for owner in self._owners(place):
                points = TEAM_DESTINY if self.shares_destiny else DESTINY
                self.destiny[owner] = points
                line = {"card": "", "kind": "start", "points": 0, "destiny": points}
                self._write(place, line, None, None if self.shares_destiny else owner)


def _placed(act: Act) -> int:
    if act.place is None:
        raise ValueError(f"act {act.number} ({act.kind}) is of nobody")
    return act.place
