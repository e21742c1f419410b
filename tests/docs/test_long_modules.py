"""A module of the product has at most 300 lines, or its docstring gives the reason why not."""

import ast

from tests.docs.error_codes import APPS, ROOT

LONGEST = 300
REASON = "One long module, since "


def test_a_long_module_gives_its_reason() -> None:
    """Without one it becomes several: docs/develop/style.md."""
    long, given = set(), set()
    for path in (path for app in (*APPS, "config", "launch") for path in (ROOT / app).rglob("*.py")):
        source = path.read_text()
        name = str(path.relative_to(ROOT))
        if REASON in (ast.get_docstring(ast.parse(source)) or ""):
            given.add(name)
        if source.count("\n") > LONGEST and "/migrations/" not in name:
            long.add(name)
    assert long == given
