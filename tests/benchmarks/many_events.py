"""What pages of one event cost while a site holds many others, on a real PostgreSQL and Valkey; one run.

`.venv/bin/python -m tests.benchmarks.many_events [--events 0 300] [--runs 60]`, once ./test has installed its
requirements. Each page is built anew, and told as a ratio to an empty view behind the same middleware, asked in turn.
"""

import argparse

from tests.benchmarks.pages import on_fresh_servers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[0, 300], help="other events of 16 players")
    parser.add_argument("--runs", type=int, default=60)
    options = parser.parse_args()
    call = f"from tests.benchmarks.many_events_site import measure; measure({options.events}, {options.runs})"
    found = on_fresh_servers(call)
    print(f"page | who | {' | '.join(f'beside {count} events' for count in options.events)} | queries")
    print(" | ".join(["---"] * (len(options.events) + 3)))
    for each in zip(*found, strict=True):
        ratios = " | ".join(f"{page['anew']:.1f}" for page in each)
        print(f"{each[0]['page']} | {each[0]['who']} | {ratios} | {', '.join(str(page['queries']) for page in each)}")


if __name__ == "__main__":
    main()
