"""What watches a site learns: that it lives, whether it is ready, and, as a site admin, how much work waits."""

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from accounts.models import User
from journal.clock import database_now
from journal.outbox.messages import enqueue

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ADMIN_ONLY = {"work_waiting", "work_parked", "copies_failing"}


def admin() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_anybody_learns_that_it_lives_without_asking_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "no-store" in answer["Cache-Control"]


def test_anybody_learns_that_it_is_ready_and_nothing_else(client):
    told = {"status": "ok", "database": True, "queue": True, "migrations": True}
    assert client.get("/health/ready/").json() == told


def test_an_organiser_learns_no_counts():
    client = Client()
    client.force_login(User.objects.create_user("olive"))
    assert not ADMIN_ONLY & set(client.get("/health/ready/").json())


def test_a_site_admin_learns_how_much_work_waits():
    enqueue("toy.act", [1], database_now())
    told = admin().get("/health/ready/").json()
    assert (told["work_waiting"], told["work_parked"], told["copies_failing"]) == (1, 0, 0)


def test_a_lost_queue_makes_it_unready_but_not_dead(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["queue"], answer.json()["database"]) == (503, False, True)
    assert client.get("/health/").status_code == 200


def test_a_lost_database_makes_it_unready_but_not_dead(client):
    def away(*rest):
        raise DatabaseError("the connection is closed")

    with connection.execute_wrapper(away):
        answer = client.get("/health/ready/")
        assert (answer.status_code, answer.json()["database"]) == (503, False)
        assert client.get("/health/").status_code == 200


@pytest.mark.parametrize(
    ("host", "secure", "says"),
    [
        ("192.168.1.20:8000", False, True),
        ("192.168.1.20", False, True),
        ("192.168.1.20:8000", True, False),
        ("localhost:8000", False, False),
        ("127.0.0.1", False, False),
        ("[::1]:8000", False, False),
    ],
)
def test_a_page_says_when_others_could_read_along(client, settings, host, secure, says):
    settings.ALLOWED_HOSTS = ["*"]
    page = client.get("/", headers={"host": host}, secure=secure)
    assert page.status_code == 200
    assert (b"encrypted" in page.content) is says
