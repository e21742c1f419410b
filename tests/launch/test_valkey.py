"""The embedded Valkey: private, durable, and the same server to Django, Celery and redis-py."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from kombu import Connection

from config.settings.servers import broker_url, cache_url
from launch import valkey
from launch.children import Child, Crew
from launch.failures import Unusable
from launch.places import SOCKET_LIMIT, embedded_redis_url, embedded_socket


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A data folder whose name needs quoting in an address."""
    return tmp_path / "v a%r"


@pytest.fixture
def server(odd: Path) -> Iterator[Child]:
    crew, folder, path = Crew(), odd / "valkey", embedded_socket(odd)
    valkey.prepare_folders(folder, path)
    child = crew.start(Child("Valkey", valkey.server_command(folder, path, durable=True), os.environ))
    assert valkey.wait_until_ready(child, path)
    yield child
    crew.stop()


def test_server_is_one_to_queue_and_cache(server: Child, odd: Path) -> None:
    with Connection(broker_url(embedded_redis_url(odd))) as connection:
        connection.ensure_connection(max_retries=1)
        queue = connection.SimpleQueue("doom")
        queue.put({"task": "1"})
        queue.close()
    assert redis.from_url(embedded_redis_url(odd)).exists("doom")
    assert not redis.from_url(cache_url(embedded_redis_url(odd))).exists("doom")


def test_server_keeps_the_queue_and_evicts_nothing(server: Child, odd: Path) -> None:
    client = redis.from_url(embedded_redis_url(odd))
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "port": "0"}
    assert {name: client.config_get(name)[name] for name in wanted} == wanted
    assert embedded_socket(odd).stat().st_mode & 0o077 == 0


def test_socket_of_a_deep_folder_is_short_and_its_own(tmp_path: Path) -> None:
    deep = [tmp_path / ("deep" * 30) / name for name in ("a", "b")]
    first, second = (embedded_socket(var) for var in deep)
    assert len(os.fsencode(first)) <= SOCKET_LIMIT
    assert first != second
    assert first == embedded_socket(deep[0])


def test_socket_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = embedded_socket(tmp_path / ("deep" * 30))
    path.parent.mkdir(mode=0o755)
    try:
        path.parent.chmod(0o755)
        with pytest.raises(Unusable, match="is open to other users"):
            valkey.prepare_folders(tmp_path / "valkey", path)
    finally:
        path.parent.rmdir()
