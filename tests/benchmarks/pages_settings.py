"""Settings of the benchmark of pages: those of the tests, with an empty view to compare with."""

from config.settings.test import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.pages_urls"
