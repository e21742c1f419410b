"""The ledger of a Doomtrooper game on its page: acts added, struck out, told against the rules, filed."""

import pytest
from django.test import Client

from scoring.models import ScoreSheet
from scoring.selectors import content_of

pytestmark = pytest.mark.django_db

THREE = "Ada\nBen\nCem"


def begun(names: str = THREE, **options: object) -> tuple[Client, str]:
    """A phone that writes for everybody on a new ledger, and the ledger's address."""
    client = Client()
    values = {"mode": "free_for_all", "target": "40", "sabotage": "off", "team_pool": "destiny", "names": names}
    answer = client.post("/scores/doomtrooper/", {**values, **options})
    assert answer.status_code == 302, answer.content.decode()
    client.post(f"{answer.url}me/", {"place": "all"})
    return client, answer.url


def sheet() -> ScoreSheet:
    return ScoreSheet.objects.get()


def acts() -> list[dict[str, object]]:
    return [{key: act[key] for key in act if key not in ("id", "by", "when")} for act in content_of(sheet())["acts"]]


def add(client: Client, root: str, **fields: object) -> str:
    """The page after an act was written down."""
    return client.post(f"{root}play/add/", fields, follow=True).content.decode()


def test_kill_gives_promotion_unless_part_of_it_is_taken_as_destiny():
    client, root = begun()
    add(client, root, kind="kill", player="Ada", other="Ben", value="8")
    add(client, root, kind="kill", player="Ada", other="Cem", value="5", destiny="2", card="Grizzly")
    assert acts() == [
        {"act": "kill", "player": "Ada", "victim": "Ben", "value": 8},
        {"act": "kill", "player": "Ada", "victim": "Cem", "value": 5, "destiny": 2, "card": "Grizzly"},
    ]
    page = client.get(root).content.decode()
    assert '<dd class="big">11</dd>' in page
    assert "29 to go" in page
