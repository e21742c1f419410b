"""A running site: its parts started in order, watched until a person stops it, stopped in the reverse order."""

import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

from launch import database, network, roles, valkey
from launch.children import Child, Crew, say
from launch.failures import Unusable, last_words
from launch.lock import SiteLock
from launch.places import embedded_socket

LOOK_AT_NETWORK_EVERY = 5.0
GATHERED = ".staticfiles-"
"""What folders are called in which static files are gathered."""


class Stop:
    """Remembers that SIGINT, SIGTERM or SIGHUP came; the second one ends the process at once."""

    def __init__(self) -> None:
        """Install the handlers explicitly: a shell starts background jobs with SIGINT ignored."""
        self.asked = False
        signal.signal(signal.SIGINT, self._note)
        signal.signal(signal.SIGTERM, self._note)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup asked for this
            signal.signal(signal.SIGHUP, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            os._exit(130)  # the watcher ends the children
        self.asked = True


class Site:
    """The whole desk on one machine: whichever of its parts are not given by DATABASE_URL and REDIS_URL."""

    def __init__(self, var: Path, door: roles.Door) -> None:
        """A site with its data in `var`, its pages behind `door`."""
        self.var = var
        self.door = door
        self.crew, self.stop = Crew(), Stop()
        self.addresses = network.lan_addresses()

    def serve(self) -> int:
        """Run until stopped; returns 0 after an orderly stop."""
        lock = SiteLock(self.var)
        lock.take("This cannot start")
        wait_for_port(self.door.port)
        try:
            web = self.start()
            lock.note(f"process {os.getpid()}, {self.door.here}")
            wait_until_open(web, self.door.port, self.crew, self.stop)
            self.welcome()
            self.watch(web)
        finally:
            self.crew.stop()
        say("Stopped; everything is kept.")
        return 0

    def start(self) -> Child:
        """Start every part and return the web server's child."""
        environment = roles.site_environment(self.var, self.door)
        if not os.environ.get("REDIS_URL"):
            self.start_valkey()
        self.prepare(environment)
        self.crew.start(roles.worker(environment))
        self.crew.start(roles.push_worker(environment))
        self.crew.start(roles.relay(environment))
        return self.crew.start(roles.web(environment, self.door))

    def start_valkey(self) -> None:
        """Start the embedded Valkey; data that it cannot read are put aside, for it holds no truth."""
        folder, path = self.var / "valkey", embedded_socket(self.var)
        valkey.prepare_folders(folder, path)
        child = self.crew.start(
            Child("Valkey server", valkey.server_command(folder, path, durable=True), dict(os.environ))
        )
        if not valkey.wait_until_ready(child, path) and not self.stop.asked:
            aside = folder.with_name(f"valkey-unreadable-{int(time.time())}")
            say(f"The Valkey server did not start on its old data; they are now in {aside}.")
            folder.rename(aside)
            valkey.prepare_folders(folder, path)
            self.crew.restart(child, child.environment)
            valkey.wait_until_ready(child, path)

    def prepare(self, environment: dict[str, str]) -> None:
        """Migrate, load the catalogues, make the first organiser and the demo event; print what the command says."""
        database.make_folder(self.var)
        command = database.manage("prepare_site", *(["--laptop"] if roles.is_laptop() else []))
        done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)
        if not self.stop.asked:
            database.require_success(done.returncode, done.stderr)
            sys.stderr.write(done.stderr)
        if file := database.database_path(self.var):
            database.remember(file)

    def welcome(self) -> None:
        """Print the address for this machine, those for phones, and a QR code of the likeliest."""
        if self.stop.asked:
            return
        say(f"\nDoomdesk is open on this machine at  {self.door.here}")
        others = self.door.for_others(self.addresses)
        for address in others:
            say(f"for phones in the same network at   {address}")
        if others:
            subprocess.run(roles.show_qr_code(others[0]), stderr=subprocess.DEVNULL)
        else:
            say("This machine is in no network now; the address for phones appears here once it is.")
        say("Ctrl-C stops it.")

    def watch(self, web: Child) -> None:
        """Keep the children alive, and the addresses true, until a person stops the site."""
        looked = time.monotonic()
        while not self.stop.asked:
            time.sleep(0.2)
            self.crew.tend()
            if time.monotonic() - looked > LOOK_AT_NETWORK_EVERY:
                looked = time.monotonic()
                self.follow_network(web)

    def follow_network(self, web: Child) -> None:
        """Restart the web server under the machine's new addresses when it has joined another network."""
        found = network.lan_addresses()
        if set(found) <= set(self.addresses):
            return
        self.addresses = found
        self.crew.restart(web, roles.site_environment(self.var, self.door))
        self.welcome()


def serve_role(name: str, var: Path, door: roles.Door) -> int:
    """Run one role of a site that is spread over several machines, until stopped."""
    environment = roles.site_environment(var, door)
    stop, crew = Stop(), Crew()
    database.require_settings(environment)
    if name == "web":
        children = [roles.web(environment, door)]
    elif name == "worker":
        children = [roles.worker(environment), roles.push_worker(environment)]
    else:
        children = [roles.relay(environment)]
    if name == "web":
        wait_for_port(door.port)
        collect_static(var, environment)
    try:
        for child in children:
            crew.start(child)
        if name == "web":
            wait_until_open(children[0], door.port, crew, stop, gives_up=False)
        if not stop.asked:
            say(f"The {children[0].name} runs; Ctrl-C stops it.")
        while not stop.asked:
            time.sleep(0.2)
            crew.tend()
    finally:
        crew.stop()
    return 0


def collect_static(var: Path, environment: dict[str, str]) -> None:
    """Gather the static files for the production settings; the laptop serves them from where they are.

    Web roles that start together take turns, and each file takes its place whole, the list of them last: a web server
    that runs already finds every file it knows at any moment, also those of the version before.
    """
    if roles.is_laptop():
        return
    var.mkdir(parents=True, exist_ok=True, mode=0o700)
    with database.locked(var / "staticfiles-gathering"):
        for left in var.glob(f"{GATHERED}*"):  # by a launcher that was killed
            shutil.rmtree(left, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=GATHERED, dir=var))
        try:
            command = database.manage("collectstatic", "--no-input", "--verbosity", "0")
            own = {**environment, "DOOMDESK_STATIC_ROOT": str(folder)}
            done = subprocess.run(command, env=own, capture_output=True, text=True)
            if done.returncode:
                raise Unusable(f"The static files could not be gathered: {last_words(done.stderr)}")
            put_files(folder, var / "staticfiles")
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def put_files(source: Path, target: Path) -> None:
    """Move every file of a folder to the same place in another, one by one, the lists at its top last."""
    files = sorted((path for path in source.rglob("*") if path.is_file()), key=lambda path: path.parent == source)
    for path in files:
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, place)


def wait_until_open(web: Child, port: int, crew: Crew, stop: Stop, *, slow: float = 30, gives_up: bool = True) -> None:
    """Wait until the web server accepts connections, on a slow machine too: after `slow` seconds that is said.

    Raises Unusable when it ends three times and the launcher `gives_up`; a role goes on trying, for its database may
    start later.
    """
    late = time.monotonic() + slow
    while not stop.asked and not network.is_open(port):
        if gives_up and web.failures >= 3:
            raise Unusable("The web server does not start; its own words are above.")
        if time.monotonic() > late:
            late = math.inf
            say("This machine is busy or slow: the web server is still starting.")
        time.sleep(0.05)
        crew.tend()


def wait_for_port(port: int, seconds: float = 2) -> None:
    """Wait shortly for a site that was just stopped to leave `port`; raises Unusable when another program has it."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return network.require_free_port(port)
        except Unusable:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
