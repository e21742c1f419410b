"""What a webhook is sent of some changes: all of them for a program, sentences for a chat."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.notifications.messages import site_address
from tournaments.core.round_names import round_name
from tournaments.core.rounds import shown_rounds
from tournaments.models import Round, Tournament, Webhook
from tournaments.standings.selectors.standings import standing_rows
from tournaments.webhooks.selectors import Change, Changes

Payload = dict[str, Any]
LINE = "  \n"
"""A new line in every chat: without the spaces some of them go on in the same line."""
TOP = 8
"""Lines of the final standings in a chat."""
MARKS = re.compile(r"([\\`*_~|>\[\]()#@<!-])")
"""Signs that a chat would take for formatting, links or people to call."""


def payload_for(webhook: Webhook, found: Changes) -> Payload | None:
    """The JSON to send; None where nothing of it is for this receiver."""
    tournament = webhook.tournament
    if webhook.kind == Webhook.Kind.SIGNED:
        wanted = [each for each in found.changes if not webhook.topics or each.topic in webhook.topics]
        payload = changes_as_json(tournament, replace(found, after=webhook.delivered_through, changes=tuple(wanted)))
        return payload if wanted else None
    with override(webhook.language or None):
        text = "\n\n".join(_messages(tournament, found.changes))
    if not text:
        return None
    if webhook.kind == Webhook.Kind.DISCORD:
        return {"content": text[:2000], "allowed_mentions": {"parse": []}}
    return {"text": text}


def changes_as_json(tournament: Tournament, found: Changes) -> Payload:
    """Changes as the API answers and webhooks bring them."""
    rows = [
        {
            "sequence": each.sequence, "at": each.at.isoformat().replace("+00:00", "Z"), "act": each.act,
            "subjects": dict(each.subjects),
        }
        for each in found.changes
    ]  # fmt: skip
    return {
        "event": tournament.slug, "after": found.after, "next": found.next, "head": found.head.sequence, "changes": rows
    }  # fmt: skip


def _messages(tournament: Tournament, changes: tuple[Change, ...]) -> Iterator[str]:
    for each in changes:
        if each.act == "round.published":
            yield from _round(tournament, each)
        elif each.act == "event.state_changed" and each.subjects.get("to") == Tournament.State.FINISHED:
            yield from _standings(tournament)


def _round(tournament: Tournament, change: Change) -> Iterator[str]:
    """Nothing of a round that was taken back since."""
    named = {"number": change.subjects["round"], "version": change.subjects["version"], "superseded_at": None}
    round_ = Round.objects.filter(stage__tournament=tournament, **named).select_related("stage__tournament").first()
    if round_ is not None:
        texts = {"event": _plain(tournament.name), "round": _plain(round_name(round_))}
        yield _with_link(_("%(event)s: %(round)s is paired.") % texts, "pairings", tournament)


def _standings(tournament: Tournament) -> Iterator[str]:
    """Nothing of an event that was reopened since, or had no round. As a list, chats would count 1, 1 as 1, 2."""
    if tournament.state == Tournament.State.FINISHED and shown_rounds(tournament):
        lines = [f"{row.standing.rank}\\. {_plain(row.entry.name)}" for row in standing_rows(tournament)[:TOP]]
        head = _("%(event)s: final standings") % {"event": _plain(tournament.name)}
        yield _with_link(LINE.join([head, *lines]), "standings", tournament)


def _with_link(text: str, page: str, tournament: Tournament) -> str:
    site = site_address()
    return f"{text}{LINE}{site}{reverse(page, args=[tournament.slug])}" if site else text


def _plain(name: str) -> str:
    return MARKS.sub(r"\\\1", " ".join(name.split()))
