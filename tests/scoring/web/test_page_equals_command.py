"""Random tables written on the pages: the page shows what the worker stored and what the command prints."""

import json
import random
from collections.abc import Mapping
from io import StringIO
from typing import Any

import pytest
from django import forms
from django.core.management import call_command
from django.test import Client

from accounts.actors import ANONYMOUS
from journal.clock import database_now
from scoring.models import ScoreSheet, SheetRevision
from scoring.sheets.forms.piles import PileField
from scoring.sheets.forms.sheets import part_form
from scoring.sheets.services import open_sheet
from scoring.tasks import tally_sheet
from tests.scoring.tallies.doomlings_tables import DOMINANT, NAMES, PLAIN, TRAITS, WITH_BONUS, Box

pytestmark = pytest.mark.django_db


class Table:
    """A table whose players write what comes into their heads."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.box, self.client = chance, Box(chance), Client()
        people = [{"name": name} for name in NAMES[: chance.randint(1, 6)]]
        options = {"check_limits": False} if chance.random() < 0.5 else {}
        options |= {"genetic_mishap": True} if len(people) == 1 else {}
        self.sheet = open_sheet(ANONYMOUS, "doomlings", people, options, database_now())
        self.root = f"/scores/doomlings/{self.sheet.key}/"
        self.client.post(f"{self.root}me/", {"place": "all"})

    def post(self, place: int, fields: dict[str, object]) -> None:
        version = self.sheet.parts.get(place=place).version
        answer = self.client.post(f"{self.root}parts/{place}/", {**fields, "act": "save", "version": version})
        assert answer.status_code == 302, answer.context["form"].errors

    def typed(self, names: list[str]) -> str:
        """Names as people type them."""
        ways = (
            str,
            str.lower,
            str.upper,
            lambda name: f"1 {name}",
            lambda name: f" {name} x1",
            lambda name: f"1x {name}",
        )
        return self.chance.choice(["\n", ", ", ";\n"]).join(self.chance.choice(ways)(name) for name in names)

    def answers(self, place: int, *, due: bool) -> dict[str, object]:
        """Something for most fields that the cards ask for; with `due` alone, what must be discarded."""
        self.held: list[str] = []
        form = part_form(ScoreSheet.objects.get(pk=self.sheet.pk), place)
        asked = [each for each in form.asked if bool(each.question.get("least")) == due]
        found = {
            name: answer
            for each in asked
            for name in each.names
            if (answer := self.answer(form.fields[name], each.question)) not in (None, "")
        }
        return {**found, "shown": " ".join(name for each in form.asked for name in each.names)} if asked else {}

    def answer(self, field: forms.Field, question: Mapping[str, Any]) -> object:
        if question["kind"] == "card":
            return self.typed(self.chance.sample(self.held, min(len(self.held), 1)))
        if isinstance(field, PileField):
            self.held = self.box.deal(0, 5, [TRAITS])
            return self.typed(self.held)
        if isinstance(field, forms.MultipleChoiceField):
            choices = [value for value, _label in field.choices]
            count = self.chance.randint(question["least"], question["most"])
            return self.chance.sample(choices, min(len(choices), count))
        if isinstance(field, forms.ChoiceField):
            return self.chance.choice([value for value, _label in field.choices])
        return self.chance.choice([None, *range(-3, 18)])

    def write(self) -> None:
        """Piles first, then the table, then what the cards ask."""
        piles = {}
        for place in range(1, len(self.sheet.players) + 1):
            names = self.box.deal(0, 2, [DOMINANT]) + self.box.deal(0, 14, [PLAIN, WITH_BONUS])
            piles[place] = {"traits": self.typed(names)}
            if self.chance.random() < 0.1:
                piles[place] = {f"sum_{name}": self.chance.randint(-9, 40) for name in ("face_value", "bonus")}
            for key, most in (("hand_size", 13), ("gene_pool", 8)):
                if self.chance.random() < 0.7:
                    piles[place][key] = str(self.chance.randint(1, most))
            self.post(place, piles[place])
        self.post(0, self.answers(0, due=False))
        for place, fields in piles.items():
            for due in False, True:
                if answers := self.answers(place, due=due):
                    fields |= answers
                    self.post(place, fields)

    def file(self) -> SheetRevision:
        assert self.client.post(f"{self.root}file/", {"anyway": "1"}).status_code == 302
        revision = self.sheet.revisions.get()
        tally_sheet(revision.pk, "")
        revision.refresh_from_db()
        return revision

    def shown(self) -> dict[str, object]:
        """Scores, winners and summed lines of the tally page; or the reason it gives."""
        context = self.client.get(f"{self.root}tally/").context
        told = context["tally_view"]
        if told is None:
            return {"error": context["progress"].returned}
        return {
            "winners": told.winners,
            "players": [
                (
                    each.name,
                    each.score,
                    sorted((line.card, line.points) for part in each.headings for line in part.lines),
                )
                for each in told.players
            ],
        }


def as_page(tally: dict) -> dict[str, object]:
    """A tally as the page shows it: alike lines are one, and what has no card stands in its heading alone."""
    if "error" in tally:
        return {"error": tally["error"]}
    players = []
    for player in tally["players"]:
        alike: dict[tuple, int] = {}
        for line in player["lines"]:
            key = line["kind"], line["card"], line["points"]
            alike[key] = alike.get(key, 0) + line["points"]
        lines = sorted((card, points) for (_kind, card, _each), points in alike.items() if card)
        players.append((player["name"], player["score"], lines))
    return {"winners": tally["winners"], "players": players}


def compare(tables: int, seed: int, tmp_path) -> None:
    stored, shown, contents = [], [], []
    for number in range(tables):
        table = Table(random.Random(f"{seed}-{number}"))
        table.write()
        revision = table.file()
        outcome = revision.outcome
        stored.append(outcome.tally or {"error": outcome.error})
        shown.append(table.shown())
        contents.append(revision.content)
    file, out = tmp_path / "sheets.json", StringIO()
    file.write_text(json.dumps({"sheets": contents}))
    call_command("tally", "doomlings", str(file), json=True, stdout=out)
    printed = json.loads(out.getvalue())["tallies"]
    for number, (kept, page, told) in enumerate(zip(stored, shown, printed, strict=True)):
        told.pop("violations", None) if "error" in told else None
        assert kept == told, f"seed {seed}, table {number}"
        assert page == as_page(told), f"seed {seed}, table {number}"
    assert sum("error" not in each for each in stored) > tables / 2


@pytest.mark.full
def test_page_equals_worker_equals_command(seed: int, tmp_path) -> None:
    compare(60, seed, tmp_path)


@pytest.mark.long
def test_page_equals_worker_equals_command_for_5000_tables(seed: int, tmp_path) -> None:
    compare(5000, seed, tmp_path)
