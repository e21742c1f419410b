"""The laptop's settings with two made-up languages: one longer than English, one from right to left."""

from config.settings.laptop import *  # noqa: F403
from config.settings.laptop import LANGUAGES
from tests.page_audits.pseudo import LONG, RIGHT_TO_LEFT, install

LANGUAGES = [*LANGUAGES, (LONG, "Lengthened"), (RIGHT_TO_LEFT, "Mirrored")]
install()
