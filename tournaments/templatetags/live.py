"""Tags for pages that follow the event: what follows, what one player alone is shown, what passes, what all share.

And one for papers so long that they are sent while they are rendered.
"""

from collections.abc import Iterable, Mapping

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.template.defaulttags import ForNode
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments.web.live.marks import PASSING, mark
from tournaments.web.live.streamed import LOOPS, Loop

register = template.Library()

FOLLOWS, POLLS = SafeString('data-live=""'), SafeString('data-live="polls"')
MOST_KEPT = 256
"""Texts that one `kept` part of a template holds."""


@register.simple_tag
def live(*, polls: bool = False) -> SafeString:
    """Mark an element with an id: `<div id="lines" {% live %}>`; it is replaced whenever the event changed.

    Put no form into it in which a person may be typing: what was typed there keeps the piece as it is. With
    `polls=True` it is asked for every few seconds too, for what only those at one table see.
    """
    return POLLS if polls else FOLLOWS


class OwnNode(Node):
    """What only the players of some entries are shown of a block."""

    def __init__(self, entries: FilterExpression, nodelist: NodeList) -> None:
        """`entries` is one id or several."""
        self.entries, self.nodelist = entries, nodelist

    def render(self, context: Context) -> SafeString:
        """The content as a mark."""
        of = self.entries.resolve(context)
        ids = " ".join(map(str, of)) if isinstance(of, Iterable) else str(of)
        return mark(ids, self.nodelist.render(context))


@register.tag
def own(parser: Parser, token: Token) -> OwnNode:
    """`{% own entry.pk %} class="me"{% endown %}` in a shared block (tournaments/web/live/page_cache.py)."""
    _name, entries = token.split_contents()
    content = parser.parse(("endown",))
    parser.delete_first_token()
    return OwnNode(parser.compile_filter(entries), content)


@register.simple_block_tag(takes_context=True)
def passing(context: Context, content: SafeString) -> SafeString:
    """`{% passing %}12:04{% endpassing %}`: what changes by the clock alone, so that a page without it is the same."""
    return mark(PASSING, content) if context.get("is_cut") else content


class KeptNode(Node):
    """What shows nothing but some values: rendered once for each of them and each language, in every process."""

    def __init__(self, values: Mapping[str, FilterExpression], nodelist: NodeList) -> None:
        """`values` by the names under which the content finds them, which finds nothing else."""
        self.values, self.nodelist = values, nodelist
        self.texts: dict[tuple[object, ...], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        """The content, from memory or rendered."""
        values = {name: value.resolve(context) for name, value in self.values.items()}
        key = (get_language(), *values.values())
        if (text := self.texts.get(key)) is None:
            if len(self.texts) >= MOST_KEPT:
                self.texts.clear()
            assert context.template is not None, "its template renders a node"
            alone = Context(values, autoescape=context.autoescape)
            with alone.bind_template(context.template):
                text = self.texts[key] = self.nodelist.render(alone)
        return text


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """`{% kept bar %}…{% endkept %}`: the content is given the values named, which can be keys of a dict; no others."""
    _name, *names = token.split_contents()
    content = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode({name: parser.compile_filter(name) for name in names}, content)


class StreamedNode(ForNode):
    """A loop that a page which is sent while it is rendered leaves for later; a plain loop on any other."""

    def __init__(self, name: str, rows: FilterExpression, content: NodeList) -> None:
        """`name` is that of one of the rows in the content."""
        super().__init__([name], rows, False, content)
        self.name, self.rows, self.content = name, rows, content

    def render(self, context: Context) -> SafeString:
        """All rounds of the loop, or a mark that stands for them."""
        loop = Loop(self.content, self.name, self.rows.resolve(context) or (), context)
        return loop.left_in(context[LOOPS]) if LOOPS in context else loop.text()


@register.tag
def streamed(parser: Parser, token: Token) -> StreamedNode:
    """`{% streamed slip in slips %}…{% endstreamed %}`: for long lists, which ask nothing of the database by then."""
    _name, variable, _in, rows = token.split_contents()
    content = parser.parse(("endstreamed",))
    parser.delete_first_token()
    return StreamedNode(variable, parser.compile_filter(rows), content)
