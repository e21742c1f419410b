"""`python -m tests.page_audits`: pictures of every page, laid out as one contact sheet for each audience."""

import argparse
import shutil
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from playwright.sync_api import sync_playwright

from launch.browser import find_browser
from launch.places import ROOT
from tests.page_audits.pages import SIZES, all_pages
from tests.page_audits.shots import shoot, write_sheet
from tests.page_audits.site import Site


def main() -> int:
    """Build the world, look at it, stop everything; answers how many pages failed, at most 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.page_audits", description=__doc__)
    parser.add_argument("--only", choices=sorted(SIZES), help="the pages of one audience")
    parser.add_argument("--out", type=Path, default=ROOT / "screenshots", help="the folder for the pictures")
    parser.add_argument("--match", default="", help="only addresses that contain this")
    given = parser.parse_args()
    wanted = [page for page in all_pages() if given.only in (None, page.audience) and given.match in page.path]
    wanted.sort(key=lambda page: tuple(SIZES).index(page.audience))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="dd-look-", dir="/tmp") as folder, Site(Path(folder)) as site:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
            for audience, pages in groupby(wanted, key=lambda page: page.audience):
                shots = list(shoot(site, browser, pages, given.out))
                for shot in shots:
                    if shot.faults:
                        failed += 1
                        print(f"{shot.page.path} ({shot.page.who}, {shot.theme}): {'; '.join(shot.faults)}")
                print(f"{audience}: {len(shots)} pictures, {write_sheet(browser, audience, shots, site, given.out)}")
            browser.close()
        if failed:
            shutil.copy(site.log, given.out / "web.log")
    print(f"{failed} pictures with faults")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
