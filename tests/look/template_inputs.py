"""What the parts of pages take: the names that a template reads and does not set itself, with those of its own parts.

`python -m tests.look.template_inputs` writes them into the first line of each part; a test checks that they are true.
"""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import django
from django.template import engines
from django.template.base import FilterExpression, Node, NodeList, TokenType, Variable
from django.template.defaulttags import ForNode, WithNode
from django.template.loader_tags import IncludeNode
from django.template.smartif import TokenBase
from django.templatetags.i18n import BlockTranslateNode

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
EVERYWHERE = frozenset({
    "block", "csrf_token", "forloop", "is_unencrypted", "messages", "perms", "request", "user", "LANGUAGES",
    "LANGUAGE_CODE", "LANGUAGE_BIDI", "True", "False", "None",
})  # fmt: skip
"""What every template knows without being handed it."""
SETS = ("target_var", "asvar", "var_name", "variable")
"""The attributes in which the nodes of tags keep the name after `as`."""
HEAD = re.compile(r"\A(?:\{# (?:takes:|also:).* #\}\n)+")
"""The lines of a part that say what it takes."""
WIDTH = 120


def parts() -> list[str]:
    """The templates of ours that another one includes by name, sorted."""
    found = set[str]()
    for path in TEMPLATES.rglob("*.html"):
        found.update(re.findall(r"""\{% include ["']([^"']+)["']""", path.read_text()))
    return sorted(name for name in found if (TEMPLATES / name).exists())


@cache
def takes(name: str) -> frozenset[str]:
    """The names that a template wants from whoever includes it."""
    nodes = engines["django"].engine.get_template(name).nodelist  # type: ignore[attr-defined]
    return frozenset(read_in(nodes, set())) - EVERYWHERE


def read_in(nodes: Iterable[Node], known: set[str]) -> Iterator[str]:
    """The names read by nodes one after the other; `known` grows by what they set."""
    for node in nodes:
        yield from read_by(node, known)
        known.update(name for each in SETS if isinstance(name := getattr(node, each, None), str))


def read_by(node: Node, known: set[str]) -> Iterator[str]:
    """The names that one node reads and that are not known."""
    inner = dict(vars(node))
    own: set[str] = known
    if isinstance(node, ForNode):
        own = known | set(node.loopvars)
    elif isinstance(node, WithNode | BlockTranslateNode):
        own = known | set(node.extra_context) | {getattr(node, "countervar", None) or ""}
    for name, value in inner.items():
        if isinstance(value, NodeList):
            yield from read_in(value, own)
        elif name not in SETS:
            yield from unknown(value, known)
    if isinstance(node, BlockTranslateNode):
        tokens = [*node.singular, *(node.plural or [])]
        yield from {token.contents for token in tokens if token.token_type == TokenType.VAR} - own
    if isinstance(node, IncludeNode) and isinstance(node.template.var, str) and not node.isolated_context:
        yield from takes(node.template.var) - known - set(node.extra_context)


def unknown(value: Any, known: set[str]) -> Iterator[str]:
    """The names in an expression, or in whatever a node keeps its expressions, that are not known."""
    if isinstance(value, Variable):
        if value.lookups and value.lookups[0] not in known:
            yield value.lookups[0]
    elif isinstance(value, FilterExpression):
        yield from unknown(value.var, known)
        for _function, arguments in value.filters:
            yield from unknown([argument for _lookup, argument in arguments], known)
    elif isinstance(value, TokenBase):
        yield from unknown([value.first, value.second, getattr(value, "value", None)], known)
    elif isinstance(value, dict):
        yield from unknown(list(value.values()), known)
    elif isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, NodeList):
                yield from read_in(each, known)
            else:
                yield from unknown(each, known)


def head_of(name: str) -> str:
    """What the first lines of a part must be."""
    lines = textwrap.wrap(", ".join(sorted(takes(name))) or "nothing", WIDTH - len("{# takes:  #}"))
    return "".join(f"{{# {'also' if at else 'takes'}: {line} #}}\n" for at, line in enumerate(lines))


def write() -> None:
    """Write the first lines of every part."""
    for name in parts():
        path = TEMPLATES / name
        path.write_text(head_of(name) + HEAD.sub("", path.read_text()))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    write()
