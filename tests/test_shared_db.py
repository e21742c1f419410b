"""The fixture `shared_db`: what a module built stands for all its tests, and what a test does is gone for the next."""

import pytest

from accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(scope="module")
def olive(shared_db):
    return User.objects.create(username="olive")


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_finds_what_the_module_built_and_nothing_else(olive, turn):
    assert list(User.objects.all()) == [olive]
    User.objects.all().delete()
    User.objects.create(username="mallory")
