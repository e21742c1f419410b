"""The laptop's settings with pages of errors and two made-up languages: one longer, one from right to left."""

import os
from pathlib import Path

from config.settings.laptop import *  # noqa: F403
from config.settings.laptop import LANGUAGES
from tests.page_audits.pseudo import LONG, RIGHT_TO_LEFT, install
from tests.page_audits.rendered import note_rendered

ROOT_URLCONF = "tests.page_audits.urls"
LANGUAGES = [*LANGUAGES, (LONG, "Lengthened"), (RIGHT_TO_LEFT, "Mirrored")]
install()
if "DOOMDESK_RENDERED" in os.environ:
    note_rendered(Path(os.environ["DOOMDESK_RENDERED"]))
