"""The API's description: complete, tidy, true to what the API answers, and shown on a page that runs under our CSP."""

import os

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, seed
from hypothesis import settings as examples
from hypothesis.strategies import integers
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests.progress import TRIED
from tests.tournaments.api.callers import caller
from tests.tournaments.api.test_permissions import crowd

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
SEED = int(os.environ.get("DOOMDESK_SEED", "1"))
EXAMPLES = 300
"""Requests to each operation in the long run."""
api = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
api.config.phases.update(phases=["fuzzing"])


def test_schema_is_valid_without_warnings(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


@pytest.mark.django_db
def test_every_operation_names_its_problems_and_key():
    for path, item in caller().get("/api/v1/schema/").json()["paths"].items():
        for method, operation in item.items():
            assert {"400", "401", "429"} <= set(operation["responses"]), path
            names = {parameter["name"] for parameter in operation.get("parameters", [])}
            assert ("Idempotency-Key" in names) == (method != "get"), path
            types = {p["schema"]["type"] for p in operation.get("parameters", []) if p["in"] == "path"}
            assert types <= {"string", "integer"}


@pytest.mark.django_db
def test_docs_are_public_and_hold_nothing_inline():
    page = caller().get("/api/v1/docs/")
    assert page.status_code == 200
    assert "unsafe-inline" not in page["Content-Security-Policy"]
    assert b"<style" not in page.content
    assert b"<script>" not in page.content


@pytest.fixture(scope="module")
def held(shared_db):
    """The ids of a running event with everybody in it, and how a visitor, a player, a judge and its organiser ask."""
    signed = [{"Authorization": caller(name)._credentials["HTTP_AUTHORIZATION"]} for name in ("ada", "juno", "olive")]
    return crowd()[0], ({}, *signed)


@pytest.fixture
def world(held, db, monkeypatch):
    """What is held; nobody is slowed down, and the test's connection stays open."""
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *args: True)
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield held
    for signal in signals:
        signal.connect(close_old_connections)


def keep_to_the_schema(case, ids, headers):
    """Send a request to what exists where its ids are odd; take back what it did."""
    if str(case.path_parameters.get("number", 1))[-1] in "13579":
        case.path_parameters.update({key: value for key, value in ids.items() if key in case.path_parameters})
    with transaction.atomic():
        response = case.call(headers={**(headers or {}), "Accept-Encoding": "identity"})  # the reader unpacks nothing
        transaction.set_rollback(True)
    checks = list(CHECKS)
    if wanted := response.status_code == 200 and (case.query or {}).get("fields"):  # others are missing, as it says
        checks.remove(response_schema_conformance)
        names = {name.strip() for name in wanted.split(",")}
        assert all(set(each) <= names for each in told_in(response.json()))
    case.validate_response(response, checks=checks)


def told_in(answer):
    """What an answer tells, one by one: itself, or the results of its page."""
    return answer["results"] if isinstance(answer.get("results"), list) else [answer]


@pytest.fixture
def examples_of_each(request, many):
    """Notes how many requests `--long` makes to each operation, on SQLite too: the decorator below says it first."""
    if request.config.getoption("--long"):
        request.node.user_properties.append((TRIED, EXAMPLES))


@pytest.mark.sampled(8)
@pytest.mark.sqlite
@pytest.mark.usefixtures("examples_of_each")
@api.parametrize()
@api.given(who=integers(0, 3))
@examples(
    max_examples=EXAMPLES if os.environ.get("DOOMDESK_LONG") else 2,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@seed(SEED)
def test_no_answer_is_outside_the_schema(case, who, world):
    """Two requests to each operation, each by a visitor, a player, a judge or the organiser; `--long`: 300."""
    ids, callers = world
    keep_to_the_schema(case, ids, callers[who])
