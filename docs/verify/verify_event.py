#!/usr/bin/env python3
"""Check an event file of Doomdesk without trusting the site that wrote it.

    python3 verify_event.py EVENT.zip [--key HEX] [--json]

One file, standard library only, Python 3.9 or newer. It shares no code with the product and sends nothing. The format
is described in docs/reference/event-file.md. Exit code 0: everything that can be checked is right; 1: something is
wrong or could not be read. What cannot be checked here is listed with the command that can.

One long module, since a stranger is to download, read and run one file.
"""

from __future__ import annotations

import argparse
import array
import hashlib
import io
import json
import re
import sys
import zipfile
from collections import Counter, defaultdict
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations

FORMAT = "doomdesk-event/1"
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
LARGEST = 256 << 20  # bytes of one part: more is no event but an attack
COMMENT = re.compile(rb"doomdesk-event/1 sha256:([0-9a-f]{64})")
SEAL = 88  # bytes of that comment, which ends the file
BYES = ("bye", "requested_bye")
VOLUNTARY = ("requested_bye", "forfeit_loss", "absent")
PAIRS, TABLES = "kernel/1", "tables/1"


class Unreadable(Exception):
    """The file is damaged, or not one of this format."""


class Report:
    """What was checked, what is wrong, and what stays open."""

    def __init__(self):
        self.lines = []

    def add(self, result, name, detail=""):
        self.lines.append({"result": result, "check": name, "detail": detail})

    def check(self, name, faults, detail=""):
        """One check: right without faults, else the first of them is told."""
        faults = list(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        self.add("wrong" if faults else "right", name, f"{faults[0]}{more}" if faults else detail)

    def open(self, name, detail):
        self.add("open", name, detail)

    @property
    def ok(self):
        return all(line["result"] in ("right", "open") for line in self.lines)


# The signature: Ed25519 as RFC 8032, section 6, has it, without anything secret in it.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def _recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def _add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(number, point):
    found = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = _add(found, point)
        point = _add(point, point)
        number >>= 1
    return found


def _decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def _same_point(one, other):
    return not (one[0] * other[2] - other[0] * one[2]) % P and not (one[1] * other[2] - other[1] * one[2]) % P


def is_signed(key, message, signature):
    """Whether this is the signature of the message by the key's owner; all three are bytes."""
    if len(key) != 32 or len(signature) != 64:
        return False
    public, start = _decompress(key), _decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or start is None or s >= ORDER:
        return False
    y = 4 * pow(5, P - 2, P) % P
    x = _recover_x(y, 0)
    base = (x, y, 1, x * y % P)
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _same_point(_times(s, base), _add(start, _times(h, public)))


# Reading: every byte of the file is covered by a digest before anything of it is believed.


def _no_twins(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a name stands twice in one object")
    return found


def _no_number(text):
    raise Unreadable(f"{text} is no whole number")


def canonical(value):
    return (json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def _parse(name, content):
    try:
        value = json.loads(
            content.decode(), object_pairs_hook=_no_twins, parse_float=_no_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name} cannot be read: {error}") from error
    if canonical(value) != content:
        raise Unreadable(f"{name} is not canonical JSON")
    return value


def read_file(data, report, key=None):
    """The parts of an event file by name, once digests and signature are right; Unreadable otherwise."""
    match = COMMENT.fullmatch(data[-SEAL:])
    if match is None:
        raise Unreadable(f"this is no event file of the format {FORMAT}, or its end is cut off")
    if hashlib.sha256(data[:-SEAL]).hexdigest() != match[1].decode():
        raise Unreadable("bytes of the file were changed: the digest at its end is another")
    contents = _unzip(data)
    manifest = _parse(MANIFEST, contents.pop(MANIFEST, b""))
    signature = contents.pop(SIGNATURE, b"")
    if manifest.get("format") != FORMAT:
        raise Unreadable(f"this program reads {FORMAT}, the file is {manifest.get('format')}")
    files = manifest["files"]
    if files.keys() != contents.keys():
        raise Unreadable(f"missing or unknown parts: {', '.join(sorted(files.keys() ^ contents.keys()))}")
    for name, digest in files.items():
        if hashlib.sha256(contents[name]).hexdigest() != digest:
            raise Unreadable(f"{name} was changed: its digest is another")
    report.check("digests", [], f"{len(files)} parts")
    _check_signature(manifest, canonical(manifest), signature, report, key)
    return manifest, {name: _parse(name, content) for name, content in contents.items()}


def _unzip(data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len({info.filename for info in infos}) != len(infos):
                raise Unreadable("a part stands twice in the file")
            if any(info.file_size > LARGEST for info in infos):
                raise Unreadable("a part is larger than any event's")
            return {info.filename: archive.read(info) for info in infos}
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, zipfile.zlib.error) as error:
        raise Unreadable(f"the archive is damaged: {error}") from error


def _check_signature(manifest, message, signature, report, key):
    try:
        raw, own = bytes.fromhex(signature.decode().strip()), bytes.fromhex(manifest["key"])
    except ValueError as error:
        raise Unreadable("the signature cannot be read") from error
    if signature != (raw.hex() + "\n").encode() or not is_signed(own, message, raw):
        raise Unreadable("the signature does not fit: the file is not as its site wrote it")
    if key is None:
        report.check("signature", [], f"by {own.hex()}")
        report.open("whose signature", "compare that key with the site's own /verify/key.json, or give it by --key")
    elif own.hex() != key.lower():
        raise Unreadable(f"signed by another key: {own.hex()}")
    else:
        report.check("signature", [], "by the key you gave")


# The log.


class Log:
    """The chain of acts: what it says of itself, and of the rows that its acts stored."""

    def __init__(self, parts):
        self.head = parts.get("ledger.json")
        names = sorted(name for name in parts if name.startswith("ledger/"))
        self.acts = [act for name in names for act in parts[name]]
        names = [name for name in parts if name.startswith("contents/")]
        self.rows = {key: row for name in names for key, row in parts[name].items()}

    def faults(self):
        """Acts that are missing, or not what their hash says."""
        previous = ""
        for number, act in enumerate(self.acts, 1):
            if act["sequence"] != number:
                yield f"act {number} is missing"
                return
            if "act" in act and self.hash_of(previous, act) != act["hash"]:
                yield f"act {number} ({act['act']}) is not what its hash says"
            previous = act["hash"]
        if (len(self.acts), previous) != (self.head["sequence"], self.head["hash"]):
            yield "the last act is not the head of the chain"

    def hash_of(self, previous, act):
        at = datetime.fromisoformat(act["at"]).astimezone(UTC).isoformat(timespec="microseconds")
        stated = [
            previous, self.head["stream"], act["sequence"], at, act["actor"], act["role"], act["act"],
            act["subjects"], act["digests"],
        ]  # fmt: skip
        if act["contents"] is not None:
            stated.append(act["contents"])
        return hashlib.sha256(_ascii(stated)).hexdigest()

    def row_faults(self):
        """Rows that do not hold what the acts stored: reports never change, of others the last act counts."""
        stated = {}
        for act in self.acts:
            contents = act.get("contents") or {}
            for row, digest in contents.get("rows", {}).items():
                kind = row.partition(":")[0]
                if kind in ("match", "penalty") or (kind == "report" and row not in stated):
                    stated[row] = (act, contents["salt"], digest)
        for row, (act, salt, digest) in stated.items():
            kind, _, key = row.partition(":")
            held = self.rows.get(row)
            if held is None and kind == "match":
                continue  # a table that was replaced before anybody saw it
            if hashlib.sha256(bytes.fromhex(salt) + _ascii([kind, key, held])).hexdigest() != digest:
                yield f"{row} does not hold what act {act['sequence']} ({act['act']}) stored"


def _ascii(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


# The event.


class Event:
    """An event as its file tells it."""

    def __init__(self, manifest, parts):
        self.whole = manifest["scope"] == "whole"
        self.facts, self.entries = parts["event.json"], parts["entries.json"]
        self.decks, self.standings = parts["decks.json"], parts["standings.json"]
        self.policy = Policy(self.facts["policy"])
        names = sorted(name for name in parts if name.startswith("rounds/"))
        rounds = [parts[name] for name in names]
        self.rounds = sorted(
            (each for each in rounds if each["superseded_at"] is None), key=lambda each: (each["number"], each["stage"])
        )
        self.stages = {stage["number"]: stage for stage in self.facts["stages"]}
        self.number_of = {entry["id"]: entry["number"] for entry in self.entries if "id" in entry}
        self.playing = [each for each in self.entries if each["state"] in ("registered", "dropped", "disqualified")]

    @property
    def begun(self):
        return [each for number, each in sorted(self.stages.items()) if number == 1 or each["seeds"] is not None]

    @property
    def sections(self):
        """The stages whose points count together, by number; brackets are left out."""
        found = []
        for stage in self.begun:
            if stage["kind"] in ("single", "double"):
                continue
            if found and stage["carries_points"]:
                found[-1].append(stage["number"])
            else:
                found.append([stage["number"]])
        return found or [[]]

    def end_of(self, stage):
        return max((each["number"] for each in self.rounds if each["stage"] == stage), default=0)

    def first_round(self, section):
        if not section or len(self.begun) < 2:
            return 1
        return 1 + self.end_of(section[0] - 1)

    def field_of(self, stage):
        return [seed for seed in self.stages[stage]["seeds"] or () if seed is not None]

    def records(self, section, first, before=None):
        """Every match of a section with a result, in order of rounds, rounds counted from the section's first."""
        return [
            Record(match, each["number"] - first + 1)
            for each in self.rounds
            if each["stage"] in section and (before is None or each["number"] < before)
            for match in sorted(each["matches"], key=lambda match: match["id"])
            if match["report"] is not None and match["report"]["seats"] and not match["bracket"]
        ]


class Policy:
    """How results become points and percentages; what a file leaves out is as usual."""

    def __init__(self, data):
        usual = {
            "win": 3, "draw": 1, "loss": 0, "bye": 3, "game_win": 3, "game_draw": 1, "game_loss": 0, "floor": "1/3",
            "bye_games": [2, 0], "bye_in_own_match_pct": True, "bye_in_own_game_pct": True, "gw_floored": True,
            "tiebreakers": ["match_points", "omw", "gw", "ogw"], "points_by": "outcome", "score_points": [],
            "placing_points": [], "requested_bye": None, "point_unit": 1, "bye_opponents": 0,
            "bye_opponent_share": "1/5", "round_weights": [],
        }  # fmt: skip
        for name, value in {**usual, **data}.items():
            setattr(self, name, value)
        self.floor, self.bye_opponent_share = Fraction(self.floor), Fraction(self.bye_opponent_share)
        self.round_weights = [Fraction(each) for each in self.round_weights]

    def weight(self, round_number):
        return self.round_weights[round_number - 1] if round_number <= len(self.round_weights) else Fraction(1)

    def of_outcome(self, outcome):
        return {"win": self.win, "draw": self.draw, "loss": self.loss}[outcome]

    def table_points(self, record, seat):
        """Points for the place at a table, shared places share the sum; None where the policy has none."""
        size = len(record.seats)
        listed = {len(row): row for row in self.placing_points}
        row = listed.get(size)
        if row is None and size >= 7 and listed:
            longest = listed[max(listed)]
            row = (longest + longest[-1:] * size)[:size]
        if not row:
            return None
        places = record.places
        mine = places[seat]
        ahead, shared = sum(place < mine for place in places), places.count(mine)
        return sum(row[ahead : ahead + shared]) // shared

    def points(self, record, seat):
        """Match points of one seat of a match."""
        own = record.results[seat]
        if record.kind == "bye":
            return self.bye
        if record.kind == "requested_bye":
            return self.of_outcome(own["outcome"]) if self.requested_bye is None else self.requested_bye
        lost = record.games - own["games_won"] - record.drawn
        special = None
        if self.points_by == "games":
            special = self.game_win * own["games_won"] + self.game_draw * record.drawn + self.game_loss * lost
        elif self.points_by == "score":
            rows = (row[2] for row in self.score_points if row[:2] == [own["games_won"], lost])
            special = next(rows, None)
        elif self.points_by == "placing":
            special = self.table_points(record, seat)
        if special is not None:
            return special
        shared = own["outcome"] == "win" and sum(each["outcome"] == "win" for each in record.results) > 1
        return self.draw if shared else self.of_outcome(own["outcome"])


class Record:
    """A match with a result."""

    def __init__(self, match, round_number):
        report = match["report"]
        self.round, self.kind, self.seats = round_number, match["kind"], match["seats"]
        self.results, self.drawn = report["seats"], report["games_drawn"]
        self.games = sum(each["games_won"] for each in self.results) + self.drawn + report["games_lost"]
        self.forfeit = report["kind"] == "no_show"

    @property
    def scores(self):
        return [None if each["score"] is None else Fraction(each["score"]) for each in self.results]

    @property
    def places(self):
        """The place of each seat: as recorded, else by score, else by outcome; of two by outcome (games decide)."""
        placings = [each["placing"] for each in self.results]
        if None not in placings:
            return placings
        scores = self.scores
        if len(scores) > 2 and None not in scores:
            return [1 + sum(other > score for other in scores) for score in scores]
        best = sum(each["outcome"] != "loss" for each in self.results)
        return [1 + best if each["outcome"] == "loss" else 1 for each in self.results]

    def presence(self, seat):
        if self.kind in BYES:
            return self.kind
        if self.kind == "no_show" or self.forfeit:
            return "forfeit_loss" if self.results[seat]["outcome"] == "loss" else "forfeit_win"
        return "played"


class Part:
    """What one round was for one player."""

    def __init__(self, number, presence, points=0, others=(), record=None, seat=0):
        self.round, self.presence, self.points, self.others = number, presence, points, others
        self.record, self.seat = record, seat

    @property
    def own(self):
        return self.record.results[self.seat]


class Facts:
    """What standings need to know of a player beside the matches."""

    def __init__(self, entry, lot, entered=1, left=None, late=False):
        self.number, self.lot, self.entered, self.left, self.late = entry["number"], lot, entered, left, late
        self.ranked = entry["state"] != "disqualified"


# Standings, in exact fractions. Each tiebreaker is written from its definition in docs/reference/tiebreakers.md.


class Table:
    """The players of a section and their rounds."""

    def __init__(self, facts, records, policy):
        self.facts, self.policy = {each.number: each for each in facts}, policy
        self.numbers = sorted({record.round for record in records})
        self.parts = {number: [] for number in self.facts}
        for record in records:
            for seat, number in enumerate(record.seats):
                others = [other for other in record.seats if other != number]
                part = Part(record.round, record.presence(seat), policy.points(record, seat), others, record, seat)
                self.parts[number].append(part)
        for number, parts in self.parts.items():
            self._add_absences(self.facts[number], parts)
        self.known = {}

    def _add_absences(self, facts, parts):
        """Without a match in a round before the last one was absent; in the last only who had left or not come."""
        if not self.numbers:
            return
        there, last = {part.round for part in parts}, self.numbers[-1]
        for number in range(self.numbers[0], last + 1):
            away = number < facts.entered or (facts.left is not None and number > facts.left)
            if number not in there and (away or number != last):
                parts.append(Part(number, "absent"))
        parts.sort(key=lambda part: part.round)

    def value(self, key, who):
        """The value of a tiebreaker, computed once."""
        if (key, who) not in self.known:
            self.known[key, who] = Fraction(TIEBREAKERS[key](self, who))
        return self.known[key, who]

    def played(self, who):
        return [part for part in self.parts[who] if part.record is not None]

    def points(self, who):
        return sum(part.points for part in self.parts[who])

    def meetings(self, who):
        """Everybody met, once for every meeting; byes are none."""
        return [(part, other) for part in self.parts[who] if part.presence not in BYES for other in part.others]

    def match_share(self, who):
        parts = self.played(who)
        if not self.policy.bye_in_own_match_pct:
            parts = [part for part in parts if part.presence not in BYES]
        return _share(sum(part.points for part in parts), self.policy.win * len(parts))

    def game_share(self, who):
        rules, points, games = self.policy, 0, 0
        for part in self.played(who):
            if part.presence == "bye" and rules.bye_in_own_game_pct:
                won, lost = rules.bye_games
                points, games = points + rules.game_win * won + rules.game_loss * lost, games + won + lost
            if part.presence in BYES:
                continue
            won, drawn, all_games = part.own["games_won"], part.record.drawn, part.record.games
            points += rules.game_win * won + rules.game_draw * drawn + rules.game_loss * (all_games - won - drawn)
            games += all_games
        return _share(points, rules.game_win * games)

    def win_share(self, who):
        outcomes = [part.own["outcome"] for part in self.played(who) if part.presence not in BYES]
        return _share(2 * outcomes.count("win") + outcomes.count("draw"), 2 * len(outcomes))

    def average(self, who, share):
        """Average of the opponents' floored shares, a bye bringing its virtual opponents; the floor without any."""
        rules = self.policy
        found = [max(share(other), rules.floor) for _part, other in self.meetings(who)]
        byes = sum(part.presence == "bye" for part in self.parts[who])
        found += [rules.bye_opponent_share] * (byes * rules.bye_opponents)
        return sum(found) / Fraction(len(found)) if found else rules.floor

    def average_of(self, who, key):
        found = [self.value(key, other) for _part, other in self.meetings(who)]
        return sum(found) / Fraction(len(found)) if found else self.policy.floor

    def at_table(self, who):
        return [(part, other) for part in self.parts[who] if part.presence == "played" for other in part.others]

    def adjusted(self, who):
        """A score as opponents count it: rounds given up after the last available one are draws."""
        available = [part.round for part in self.parts[who] if part.presence in ("played", "bye", "forfeit_win")]
        last = max(available, default=0)
        return sum(
            self.policy.draw if part.presence in ("requested_bye", "absent") and part.round > last else part.points
            for part in self.parts[who]
        )

    def chess_lines(self, who, *, weighted=False):
        """(amount, weight, voluntary) of each round: the opponent's score, or the own one for a round not played."""
        found = []
        for part in self.parts[who]:
            weight = part.points if weighted else 1
            if part.presence == "played":
                found += [(self.adjusted(other), weight, False) for other in part.others]
            else:
                found.append((self.points(who), weight, part.presence in VOLUNTARY))
        return found

    def tied_before(self, who):
        """Who is tied with somebody in everything before head-to-head; the player alone if disqualified."""
        keys = self.policy.tiebreakers
        before = keys[: keys.index("head_to_head")] if "head_to_head" in keys else ["match_points"]
        if "tied" not in self.known:
            groups = defaultdict(set)
            for number, facts in self.facts.items():
                if facts.ranked:
                    groups[tuple(self.value(key, number) for key in before)].add(number)
            self.known["tied"] = groups
        if not self.facts[who].ranked:
            return {who}
        return self.known["tied"][tuple(self.value(key, who) for key in before)]

    def order(self):
        """Ranks by number, best first: equal values share a rank."""
        keys = self.policy.tiebreakers
        ranked = [
            (tuple(self.value(key, number) for key in keys), number)
            for number, facts in sorted(self.facts.items())
            if facts.ranked
        ]
        ranked.sort(key=lambda line: line[0], reverse=True)
        found, last, rank = [], None, 0
        for place, (values, number) in enumerate(ranked, 1):
            rank = rank if values == last else place
            last = values
            found.append((rank, number))
        return found


def _share(top, bottom):
    return Fraction(top, bottom) if bottom else Fraction(0)


def _without_lowest(lines):
    """Cut 1: the voluntary unplayed round that counts least, or the lowest opponent if that removes more."""
    if not lines:
        return []
    weigh = lambda line: line[0] * line[1]  # noqa: E731 - one word for one key
    lowest = min(lines, key=lambda line: (line[0], weigh(line)))
    given_up = min((line for line in lines if line[2]), key=weigh, default=lowest)
    left = list(lines)
    left.remove(given_up if weigh(given_up) >= weigh(lowest) else lowest)
    return left


def _without_both(lines):
    left = _without_lowest(lines)
    if left:
        left.remove(max(left, key=lambda line: line[0]))
    return left


def _chess(cut=list, weighted=False):
    def value(table, who):
        unit = table.policy.point_unit
        total = sum(amount * weight for amount, weight, _given_up in cut(table.chess_lines(who, weighted=weighted)))
        return Fraction(total, unit * unit if weighted else unit)

    return value


def _progressive(table, who, cut_first=False):
    total, found = 0, 0
    for part in table.parts[who]:
        total += part.points
        if not (cut_first and part.round == table.numbers[0]):
            found += total
    return Fraction(found, table.policy.point_unit)


def _head_to_head(table, who):
    group = table.tied_before(who)
    if len(group) == 1:
        return 0
    met = {number: {number}.union(*(part.others for part in table.parts[number])) for number in group}
    if not all(group <= met[number] for number in group):
        return 0
    points = sum(part.points for part in table.parts[who] if not group.isdisjoint(part.others))
    return Fraction(points, table.policy.point_unit)


def _gw(table, who):
    share = table.game_share(who)
    return max(share, table.policy.floor) if table.policy.gw_floored else share


def _duel_number(table, who):
    def digits(key):
        return min(int(table.value(key, who) * 1000), 999)

    return table.points(who) * 1_000_000 + digits("omw") * 1000 + digits("oomw")


def _schedule(inner):
    def value(table, who):
        lines = [(inner(table, other), table.policy.weight(part.round)) for part, other in table.meetings(who)]
        weights = sum(weight for _value, weight in lines)
        return sum(each * weight for each, weight in lines) / weights if weights else 0

    return value


def _pace(table, who):
    rounds = sum(table.policy.weight(part.round) for part in table.played(who))
    return table.points(who) / rounds if rounds else Fraction(0)


def _victory_points(table, who):
    return sum(part.record.scores[part.seat] or 0 for part in table.played(who))


def _at_table_average(key):
    def value(table, who):
        found = [table.value(key, other) for _part, other in table.at_table(who)]
        return sum(found) / Fraction(len(found)) if found else 0

    return value


def _wins_table(part):
    scores = part.record.scores
    own = scores[part.seat]
    others = [score for seat, score in enumerate(scores) if seat != part.seat]
    return own is not None and own >= 2 and all(score is None or score < own for score in others)


def _counted(counts):
    return lambda table, who: sum(1 for part in table.played(who) if counts(part))


def _placed(place):
    return _counted(lambda part: part.presence == "played" and part.record.places[part.seat] == place)


def _won(part):
    return part.own["outcome"] == "win"


def _in_second_seat(part):
    return part.presence == "played" and part.seat == 1


TIEBREAKERS = {
    "match_points": lambda table, who: Fraction(table.points(who), table.policy.point_unit),
    "rounds_played": _counted(lambda part: True),
    "wins": _counted(_won),
    "head_to_head": _head_to_head,
    "omw": lambda table, who: table.average(who, table.match_share),
    "gw": _gw,
    "ogw": lambda table, who: table.average(who, table.game_share),
    "oomw": lambda table, who: table.average_of(who, "omw"),
    "opponents_win": lambda table, who: table.average(who, table.win_share),
    "opponents_opponents_win": lambda table, who: table.average_of(who, "opponents_win"),
    "buchholz": _chess(),
    "buchholz_cut_1": _chess(_without_lowest),
    "buchholz_median": _chess(_without_both),
    "opponents_buchholz": _at_table_average("buchholz"),
    "sonneborn_berger": _chess(weighted=True),
    "sonneborn_berger_cut_1": _chess(_without_lowest, weighted=True),
    "progressive": _progressive,
    "progressive_cut_1": lambda table, who: _progressive(table, who, cut_first=True),
    "wins_played": _counted(lambda part: part.presence == "played" and _won(part)),
    "rounds_available": _counted(lambda part: part.presence in ("played", "bye", "forfeit_win")),
    "second_seats": _counted(_in_second_seat),
    "second_seat_wins": _counted(lambda part: _in_second_seat(part) and _won(part)),
    "strength_of_schedule": _schedule(_pace),
    "extended_strength": _schedule(lambda table, who: table.value("strength_of_schedule", who)),
    "duel_number": _duel_number,
    "table_wins": _counted(_wins_table),
    "victory_points": _victory_points,
    "opponents_score": _at_table_average("victory_points"),
    "firsts": _placed(1),
    "seconds": _placed(2),
    "thirds": _placed(3),
    "table_points": lambda table, who: sum(
        table.policy.table_points(part.record, part.seat) or 0 for part in table.played(who)
    ),
    "on_time": lambda table, who: int(not table.facts[who].late),
    "lot": lambda table, who: -table.facts[who].lot,
}


def table_of(event, section, first, before=None):
    """The table of one section; before a round, what stood then."""
    field = event.field_of(section[0]) if section and section[0] > 1 else [each["number"] for each in event.playing]
    facts = [_facts(event, entry, section, first) for entry in event.playing if entry["number"] in set(field)]
    return Table(facts, event.records(section, first, before), event.policy)


def _facts(event, entry, section, first):
    left = [event.end_of(stage - 1) for stage in section[1:] if entry["number"] not in event.field_of(stage)]
    left += [] if entry["dropped_after"] is None else [entry["dropped_after"]]
    digest = hashlib.sha256(f"{event.facts['stream']}:{entry['number']}".encode()).digest()
    return Facts(
        entry, int.from_bytes(digest[:6], "big"), max(1, entry["entered_round"] - first + 1),
        max(0, min(left) - first + 1) if left else None, entry["entered_round"] > 1,
    )  # fmt: skip


def expected_standings(event):
    """(rank, number, the table its line comes from) of everybody in final order; None while a bracket is played."""
    lines = []
    for section in event.sections:
        table = table_of(event, section, event.first_round(section))
        order = table.order()
        for stage in section[1:]:
            order = _above(order, event.field_of(stage))
        own = [(rank, number, table) for rank, number in order]
        named = {number for _rank, number, _table in own}
        lines = own + _again([line for line in lines if line[1] not in named], len(own))
    last = event.begun[-1]
    if last["kind"] not in ("single", "double") or last["seeds"] is None:
        return lines
    ranked = {number for _rank, number, _table in lines}
    order = _bracket_order(event, last, ranked)
    if order is None:
        return None
    tables = {number: table for _rank, number, table in lines}
    top = [(rank, number, tables[number]) for rank, number in order]
    return top + _again([line for line in lines if line[1] not in {each[1] for each in top}], len(top))


def _above(order, field):
    """Lines with those of a later stage above the others, each group with ranks of its own."""
    upper = [line for line in order if line[1] in set(field)]
    lower = [line for line in order if line[1] not in set(field)]
    return _again(upper, 0) + _again(lower, len(upper))


def _again(lines, above):
    """Ranks counted anew below others: who was tied stays so."""
    found, last, rank = [], None, 0
    for place, line in enumerate(lines, above + 1):
        rank = rank if line[0] == last else place
        last = line[0]
        found.append((rank, *line[1:]))
    return found


def _bracket_matches(event, stage):
    return [match for each in event.rounds if each["stage"] == stage["number"] for match in each["matches"]]


def _winner(match):
    if match["report"] is None:
        return None
    results = match["report"]["seats"]
    return next((number for place, number in enumerate(match["seats"]) if results[place]["outcome"] == "win"), None)


def _level(match):
    side, number = match["bracket"].partition("-")[0][0], int(match["bracket"].partition("-")[0][1:])
    return ("WLTF".index(side), number)


def _bracket_order(event, stage, ranked):
    """Final places of a bracket that is over, from its last level back to its first: who leaves a level shares it."""
    matches = _bracket_matches(event, stage)
    field = [seed for seed in stage["seeds"] if seed is not None]
    if any(_winner(match) is None for match in matches) or not _is_decided(stage, field, matches):
        return None
    levels = defaultdict(list)
    for match in matches:
        levels[_level(match)].append(match)
    single, third = stage["kind"] == "single", any(match["bracket"].startswith("T") for match in matches)
    order = sorted(levels, reverse=True)
    if single and third:  # the match for third place ranks right below the final
        final = max(level for level in levels if level[0] == 0)
        order = [final, (2, 1), *(level for level in order if level not in (final, (2, 1)))]
    place, seen = {}, 0
    for level in order:
        for leaving in ([_winner(match) for match in levels[level]], [_loser(match) for match in levels[level]]):
            gone = [number for number in leaving if number not in place and not _plays_on(matches, number, level)]
            place.update(dict.fromkeys(gone, seen + 1))
            seen += len(gone)
    if set(place) != set(field):
        return None
    out = [place[number] for number in field if number not in ranked]
    seed = {number: position for position, number in enumerate(field)}
    lines = [(place[n] - sum(gone < place[n] for gone in out), n) for n in field if n in ranked]
    return sorted(lines, key=lambda line: (line[0], seed[line[1]]))


def _is_decided(stage, field, matches):
    """One is left over, or the only grand final is played; whoever may lose once plays on in the losers' bracket."""
    if stage["kind"] == "double" and not stage["bracket_reset"]:
        return any(match["bracket"].startswith("F") for match in matches)
    losses = Counter(_loser(match) for match in matches)
    return sum(losses[number] < (1 if stage["kind"] == "single" else 2) for number in field) == 1


def _loser(match):
    winner = _winner(match)
    return next((number for number in match["seats"] if number != winner), winner)


def _plays_on(matches, number, level):
    """Whether somebody has a match after this level: in the losers' bracket, for third place, or in a final."""
    later = [_level(match) for match in matches if number in match["seats"]]
    return any(_after(other, level) for other in later)


def _after(other, level):
    rank = {0: 0, 1: 1, 2: 1, 3: 2}
    return other != level and ((other[0] == level[0] and other[1] > level[1]) or rank[other[0]] > rank[level[0]])


def check_standings(event, report):
    unknown = [key for key in event.policy.tiebreakers if key not in TIEBREAKERS]
    if unknown:
        report.add("unknown", "standings", f"this program does not know the tiebreaker {', '.join(unknown)}")
        return
    expected = expected_standings(event)
    if expected is None:
        report.open("final order", "the bracket is still being played: places in it are not computed")
        return
    told = {line["entry"]: line for line in event.standings}
    report.check("standings", _standing_faults(event, expected, told), f"{len(told)} lines in exact fractions")


def _standing_faults(event, expected, told):
    if [line["entry"] for line in event.standings] != [number for _rank, number, _table in expected]:
        missing = ", ".join(map(str, sorted({number for _rank, number, _table in expected} ^ set(told))))
        yield f"the lines are others, or in another order{f': entries {missing}' if missing else ''}"
    for rank, number, table in expected:
        line = told.get(number)
        if line is None:
            continue
        if line["rank"] != rank:
            yield f"entry {number} has rank {line['rank']}, computed {rank}"
        outcomes = Counter(part.own["outcome"] for part in table.played(number))
        tally = [table.points(number), outcomes["win"], outcomes["draw"], outcomes["loss"]]
        if [line["points"], line["wins"], line["draws"], line["losses"]] != tally:
            yield f"entry {number}: points, wins, draws and losses are {', '.join(map(str, tally))}"
        for key in event.policy.tiebreakers:
            if line["values"].get(key) != str(table.value(key, number)):
                yield f"entry {number}: {key} is {line['values'].get(key)}, computed {table.value(key, number)}"


# Pairings.


def check_rounds(event, report):
    for each in event.rounds:
        stage = event.stages[each["stage"]]
        name = f"round {each['number']}"
        report.check(name, _round_faults(event, each, stage), f"{len(each['matches'])} matches, everybody once")
        if stage["kind"] in ("swiss", "tables"):
            _check_cost(event, each, name, report)
        if stage["kind"] == "swiss" and each["engine"] == PAIRS:
            report.open(f"{name}: no cheaper pairing", f"./run manage verify_pairings {event.facts['slug']}")
        if each["changes"]:
            report.open(f"{name}: by hand", f"staff changed this round {each['changes']} times")


def _round_faults(event, each, stage):
    known = {entry["number"] for entry in event.entries}
    seats = Counter(number for match in each["matches"] for number in match["seats"])
    for number, times in seats.items():
        if number not in known:
            yield f"entry {number} is not in this event"
        if times > 1:
            yield f"entry {number} sits at {times} tables"
    tables = Counter(match["table"] for match in each["matches"] if match["table"] is not None)
    for table, times in tables.items():
        if times > 1:
            yield f"table {table} is given away {times} times"
    for match in each["matches"]:
        yield from _match_faults(match)
    if stage["kind"] in ("single", "double"):
        yield from _bracket_faults(event, each, stage)
    if stage["kind"] == "round_robin":
        yield from _robin_faults(event, each, stage)


def _match_faults(match):
    name = f"match {match['id']}"
    alone = len(match["seats"]) == 1
    if not match["seats"] or (match["kind"] in BYES) > alone:
        yield f"{name}: {match['kind']} for {len(match['seats'])}"
    report = match["report"]
    if report is None:
        return
    results = report["seats"]
    if len(results) != len(match["seats"]):
        yield f"{name}: a result for {len(results)} of {len(match['seats'])}"
        return
    outcomes = [each["outcome"] for each in results]
    if len(results) == 2 and sorted(outcomes) not in (["loss", "win"], ["draw", "draw"], ["loss", "loss"]):
        yield f"{name}: {' and '.join(outcomes)} at one table"
    won = [each["games_won"] for each in results]
    if len(results) == 2 and report["kind"] == "played" and None in [each["placing"] for each in results]:
        expected = ["draw", "draw"] if won[0] == won[1] else ["win", "loss"] if won[0] > won[1] else ["loss", "win"]
        if outcomes != expected:
            yield f"{name}: {won[0]}-{won[1]} is no {' and '.join(outcomes)}"


def _bracket_faults(event, each, stage):
    """Only seeds play, and nobody who is out."""
    field = set(event.field_of(stage["number"]))
    allowed = 1 if stage["kind"] == "single" else 2
    losses = Counter(
        _loser(match)
        for earlier in event.rounds
        if earlier["stage"] == stage["number"] and earlier["number"] < each["number"]
        for match in earlier["matches"]
        if match["bracket"] and _winner(match) is not None
    )
    for match in each["matches"]:
        for number in match["seats"]:
            if number not in field:
                yield f"entry {number} is not in the bracket"
            elif losses[number] >= allowed and not match["bracket"].startswith("T"):
                yield f"entry {number} plays on after losing"


def _robin_faults(event, each, stage):
    most = 2 if stage["return_leg"] else 1
    met = Counter(
        frozenset(match["seats"])
        for other in event.rounds
        if other["stage"] == stage["number"] and other["number"] <= each["number"]
        for match in other["matches"]
        if len(match["seats"]) == 2
    )
    for match in each["matches"]:
        if met[frozenset(match["seats"])] > most and len(match["seats"]) == 2:
            yield f"{match['seats'][0]} and {match['seats'][1]} meet more than {most} times"


def _section_of(event, stage):
    return next((section for section in event.sections if stage in section), [stage])


def _history(event, each):
    """Meetings of each pair, and who had a bye, in the section's earlier rounds."""
    section = _section_of(event, each["stage"])
    met, byes = Counter(), Counter()
    for earlier in event.rounds:
        if earlier["stage"] in section and earlier["number"] < each["number"]:
            for match in earlier["matches"]:
                met.update(frozenset(pair) for pair in combinations(match["seats"], 2))
                byes.update(match["seats"] if match["kind"] == "bye" else ())
    return met, byes


def _check_cost(event, each, name, report):
    cost = each["cost"]
    met, byes = _history(event, each)
    pairs = [frozenset(pair) for match in each["matches"] for pair in combinations(match["seats"], 2)]
    if cost is None:
        again = sum(met[pair] for pair in pairs)
        report.open(f"{name}: cost", f"entered by hand, without a stated cost; {again} meetings are repeated")
        return
    report.check(f"{name}: stated cost", _cost_faults(event, each, met, byes, pairs), "meetings, byes and scores")
    if event.whole and each["input"] is not None:
        report.check(f"{name}: input", _input_faults(event, each, met), "the stored input and what it costs")


def _cost_faults(event, each, met, byes, pairs):
    cost = each["cost"]
    again = sum(met[pair] for pair in pairs), sum(met[pair] ** 2 for pair in pairs)
    if "rematches" in cost and cost["rematches"] != again[0]:
        yield f"rematches are {again[0]}, stated {cost['rematches']}"
    if "repeats" in cost and cost["repeats"] != again[1]:
        yield f"repeated meetings are {again[1]}, stated {cost['repeats']}"
    alone = [match["seats"][0] for match in each["matches"] if match["kind"] == "bye"]
    had_none = [number for match in each["matches"] for number in match["seats"] if not byes[number]]
    if "rematches" in cost and cost["second_byes"] and had_none and not each["changes"]:
        yield f"a second bye, though {len(had_none)} had none"
    settled = each["results_changed_at"] is None and not each["paired_without"] and not each["changes"]
    if not settled or "sum_sq_diff" not in cost or len(alone) > 1:
        return
    if set(event.policy.tiebreakers) - set(TIEBREAKERS):
        return
    section = _section_of(event, each["stage"])
    table = table_of(event, section, event.first_round(section), each["number"])
    squares = sum((table.points(one) - table.points(other)) ** 2 for one, other in map(sorted, pairs))
    if squares != cost["sum_sq_diff"]:
        yield f"squared score differences are {squares}, stated {cost['sum_sq_diff']}"


def _input_faults(event, each, met):
    """The input that the site kept: it is the one the round names, fits the rounds before, and gives the cost."""
    given, field = each["input"], {player["id"]: player for player in each["input"]["contenders"]}
    numbers = event.number_of
    for player in field.values():
        for other, times in Counter(player.get("opponents", ())).items():
            pair = frozenset((numbers.get(player["id"], 0), numbers.get(other, 0)))
            if times != met[pair]:
                yield f"the input says that {' and '.join(map(str, sorted(pair)))} met {times} times"
    if each["engine"] == PAIRS and _pairs_digest(given) != each["input_hash"]:
        yield "the input is not the one that the round names"
    if each["changes"] or set(numbers.values()) < {n for match in each["matches"] for n in match["seats"]}:
        return
    ids = {number: entry for entry, number in numbers.items()}
    tables = [[ids[number] for number in match["seats"]] for match in each["matches"] if len(match["seats"]) > 1]
    alone = [ids[match["seats"][0]] for match in each["matches"] if len(match["seats"]) == 1]
    alone = [player for player in alone if player in field and not field[player].get("awarded_bye")]
    if any(player not in field for table in tables for player in table):
        yield "somebody plays who is not in the input"
        return
    if each["engine"] == PAIRS:
        yield from _differences(each["cost"], _pairs_cost(given, field, tables, alone))
        places = [[match["table"] or 0, *(ids[n] for n in match["seats"])] for match in each["matches"]]
        digest = hashlib.sha256(json.dumps(sorted(places), separators=(",", ":")).encode()).hexdigest()
        if each["pairing_hash"] and digest != each["pairing_hash"]:
            yield "the tables are not those that were paired"
    elif "repeats" in each["cost"]:
        yield from _differences(each["cost"], _tables_cost(given, field, tables, alone))


def _differences(told, computed):
    for term, value in computed.items():
        if told.get(term) != value:
            yield f"{term} is {value}, stated {told.get(term)}"


def _mates(one, other, policy, rule):
    return any(
        policy.get(kind) == rule and one.get(name) is not None and one.get(name) == other.get(name)
        for kind, name in (("clubs", "club"), ("teams", "team"))
    )


def _is_forbidden(one, other, policy):
    apart = one["id"] in other.get("apart", ()) or other["id"] in one.get("apart", ())
    return apart or _mates(one, other, policy, "hard")


def _meetings(one, other):
    return max(one.get("opponents", []).count(other["id"]), other.get("opponents", []).count(one["id"]))


def _pairs_cost(given, field, tables, alone):
    """The cost of a round of pairs, term by term as docs/how-it-works/pairing.md defines it."""
    policy, pairs = given["policy"], [(field[one], field[other]) for one, other in tables]
    finish = policy.get("finish", "lot")
    return {
        "second_byes": sum(bool(field[player].get("had_bye")) for player in alone),
        "forbidden_pairs": sum(_is_forbidden(one, other, policy) for one, other in pairs),
        "rematches": sum(_meetings(one, other) for one, other in pairs),
        "club_pairs": sum(_mates(one, other, policy, "soft") for one, other in pairs),
        "bye_score": sum(field[player]["score"] for player in alone),
        "sum_sq_diff": sum((one["score"] - other["score"]) ** 2 for one, other in pairs),
        "finish": sum(_finish(one, other, finish) for one, other in pairs),
    }


def _finish(one, other, finish):
    if finish == "standings":
        return (one.get("place", 0) - other.get("place", 0)) ** 2
    if finish == "fewest_floats" and one["score"] != other["score"]:
        lower, upper = sorted((one, other), key=lambda player: player["score"])
        return upper.get("downfloats", 0) + lower.get("upfloats", 0)
    return 0


def _tables_cost(given, field, tables, alone):
    """The same for a round at tables of several players."""
    policy, terms = given["policy"], Counter()
    pairs = [(field[one], field[other]) for table in tables for one, other in combinations(table, 2)]
    for one, other in pairs:
        terms["forbidden_pairs"] += _is_forbidden(one, other, policy)
        terms["club_pairs"] += _mates(one, other, policy, "soft")
        terms["repeats"] += _meetings(one, other) ** 2
        terms["spread"] += (one.get("score", 0) - other.get("score", 0)) ** 2 if policy["balance"] else 0
    for table in tables:
        for seat, player in enumerate(table):
            seats = field[player].get("seats", [])
            terms["off_size"] += field[player].get("off_size", 0) * abs(policy["preferred"] - len(table))
            terms["seats"] += seats[seat] if seat < len(seats) else 0
            if policy["primary_targets"]:
                terms["targets"] += field[player].get("left", []).count(table[seat + 1 - len(table)]) ** 2
    terms["second_byes"] = sum(field[player].get("byes", 0) for player in alone)
    terms["bye_score"] = sum(field[player].get("score", 0) for player in alone) if policy["balance"] else 0
    names = ("second_byes", "forbidden_pairs", "repeats", "club_pairs", "bye_score", "spread", "off_size", "seats",
             "targets")  # fmt: skip
    return {name: terms[name] for name in names}


USUAL = {
    "id": None, "score": None, "opponents": [], "had_bye": False, "club": None, "team": None, "apart": [], "place": 0,
    "downfloats": 0, "upfloats": 0, "firsts": 0, "seconds": 0, "last_seat": 0, "fixed_table": None,
    "awarded_bye": False,
}  # fmt: skip


def _pairs_digest(given):
    """SHA-256 of an input of pairs: rules as JSON, then each value of all players as one column."""
    players = sorted(given["contenders"], key=lambda player: player["id"])
    rules = [given["policy"], given["seed"], given["locked"], len(players)]
    told = hashlib.sha256(json.dumps(rules, separators=(",", ":"), sort_keys=True).encode())
    for name, usual in USUAL.items():
        column = [player.get(name, usual) for player in players]
        if name in ("opponents", "apart"):
            told.update(_packed([len(each) for each in column]))
            column = [other for each in column for other in sorted(each)]
        told.update(_packed(column))
    return told.hexdigest()


def _packed(column):
    try:
        numbers = array.array("q", column)
    except (TypeError, OverflowError):
        return b"json" + json.dumps(column, separators=(",", ":")).encode() + b";"
    if sys.byteorder == "big":
        numbers.byteswap()
    return b"int64" + numbers.tobytes()


# The log beside the rounds, and decks.


def check_log(event, log, report):
    if log.head is None:
        report.open("log", "it comes with the file once the event is over")
        return
    hidden = sum("act" not in act for act in log.acts)
    shown = f"{len(log.acts)} acts" + (f", {hidden} of them by their hash alone" if hidden else "")
    report.check("log", log.faults(), f"{shown}; head {log.head['hash']}")
    matches = {match["id"]: match for each in event.rounds for match in each["matches"]}
    report.check("results in the log", _logged_faults(log, matches, event.whole), "no result without its act")
    if event.whole:
        report.check("contents", log.row_faults(), "reports, matches and penalties are as they were stored")
        report.check("results", _row_faults(log, matches), "each result is the one that the log holds")


def _logged_faults(log, matches, whole):
    """Results that an act of the log names are in the rounds; a result of two players comes with an act."""
    named = {act["subjects"].get("report") for act in log.acts if "act" in act and act["act"].startswith("result.")}
    complete = all(act["contents"] is not None for act in log.acts if "act" in act)
    for match in matches.values():
        report = match["report"]
        played = report and match["kind"] == "played" and report["kind"] == "played"
        if complete and played and report["id"] not in named:
            yield f"match {match['id']}: its result stands in no act"
    if not whole:
        known = {match["report"]["id"] for match in matches.values() if match["report"]}
        for number in sorted(named - known - {None}):
            yield f"the log has report {number}, the rounds have not"


def _row_faults(log, matches):
    for key, match in matches.items():
        row, report = log.rows.get(f"match:{key}"), match["report"]
        if row is not None and row[3] != (report and report["id"]):
            yield f"match {key}: another report counts in the log"
        held = report and log.rows.get(f"report:{report['id']}")
        if not held:
            continue
        results = [[each["outcome"], each["games_won"], each["placing"], each["score"]] for each in report["seats"]]
        told = [report["kind"], report["games_drawn"], report["games_lost"], report["games"], results]
        if [*held[3:7], [each[1:] for each in held[13]]] != told:
            yield f"match {key}: the result is not the one of the log"


def check_decks(event, log, report):
    if not event.decks:
        return
    shown = [deck for deck in event.decks if "cards" in deck]
    report.check("decks", _deck_faults(shown), f"{len(shown)} of {len(event.decks)} lists are shown and as committed")
    logged = {_whose(act["subjects"]): act["subjects"].get("commitment") for act in log.acts
              if act.get("act") in ("deck.registered", "deck.replaced")}  # fmt: skip
    report.check("decks in the log", _late_faults(event.decks, logged))
    if len(shown) < len(event.decks):
        report.open("decks not shown yet", f"./run manage verify_decks {event.facts['slug']}")


def _whose(told):
    return told["entry"], told.get("member", 1)


def _late_faults(decks, logged):
    teams = {deck["entry"] for deck in decks if _whose(deck)[1] != 1}
    told_apart = {entry for entry, member in logged if member != 1}
    seen = set()
    for deck in decks:
        whose, entry = _whose(deck), deck["entry"]
        # logs once named the entry alone: which of a team's decks they mean is then not said
        usual = None if entry in told_apart else deck["commitment"]
        is_clear = entry in told_apart or entry not in teams
        if whose in seen or (is_clear and logged.get(whose, usual) != deck["commitment"]):
            yield f"entry {entry}: another commitment"
        seen.add(whose)


def _deck_faults(decks):
    for deck in decks:
        lines = [deck["salt"], *sorted(f"{section} {count} {name}" for section, count, name in deck["cards"])]
        text = "".join(f"{line}\n" for line in lines)
        if deck["commitment"] and hashlib.sha256(text.encode()).hexdigest() != deck["commitment"]:
            yield f"entry {deck['entry']}: the list is not the one that was registered"


def verify(data, key=None):
    """Check the bytes of an event file; the Report."""
    report = Report()
    try:
        manifest, parts = read_file(data, report, key)
        event, log = Event(manifest, parts), Log(parts)
        check_log(event, log, report)
        check_decks(event, log, report)
        check_rounds(event, report)
        check_standings(event, report)
    except Unreadable as error:
        report.add("wrong", "file", str(error))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        report.add("wrong", "file", f"its parts do not fit together: {type(error).__name__} {error}")
    return report


MARKS = {"right": "ok   ", "wrong": "WRONG", "open": "open ", "unknown": "????? "}


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Check an event file without trusting the site that wrote it.")
    parser.add_argument("file", metavar="EVENT.zip")
    parser.add_argument("--key", help="the site's key in hexadecimal, from its /verify/key.json")
    parser.add_argument("--json", action="store_true", help="machine-readable answer")
    options = parser.parse_args(arguments)
    try:
        with open(options.file, "rb") as file:
            data = file.read()
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 1
    report = verify(data, options.key)
    if options.json:
        print(json.dumps({"ok": report.ok, "checks": report.lines}, ensure_ascii=False))
    else:
        for line in report.lines:
            print(f"{MARKS[line['result']]} {line['check']}{': ' if line['detail'] else ''}{line['detail']}")
        print("\nEverything that can be checked here is right." if report.ok else "\nSomething is not right.")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
