"""The log in words: one sentence for each act.

One long module, since the sentences of all acts are looked for in one list.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from journal.models import LedgerEntry
from tournaments.core.log import ALLOWED, NEED, PENALTIES, Names, stated_in
from tournaments.models import DeckCheck, Penalty, Role, Stage, Tournament
from tournaments.web.shared.background_job_words import task_words

SENTENCES: Mapping[str, Promise | str] = {
    "act.undone": gettext_lazy("undid entry %(of)s of this log"),
    "event.created": gettext_lazy("created the event"),
    "event.brought": gettext_lazy("imported the event from a file: a log of %(acts)s actions"),
    "event.recorded": gettext_lazy("imported the event from a record: %(rounds)s rounds, %(differences)s differences"),
    "event.copied": gettext_lazy("created the event from another"),
    "event.rehearsed": gettext_lazy("started a rehearsal: %(players)s players, seed %(seed)s"),
    "event.discarded": gettext_lazy("deleted the rehearsal"),
    "event.settings_changed": gettext_lazy("changed settings: %(changed)s"),
    "event.state_changed": gettext_lazy("changed the event from “%(from)s” to “%(to)s”"),
    "event.moved": gettext_lazy("marked the event as moved to another site"),
    "event.move_taken_back": gettext_lazy("took back that the event moved"),
    "announcement.posted": gettext_lazy("sent an announcement"),
    "announcement.withdrawn": gettext_lazy("withdrew an announcement"),
    "work.tried_again": gettext_lazy("retried a background job: %(task)s"),
    "webhook.created": gettext_lazy("created a webhook"),
    "webhook.deleted": gettext_lazy("deleted a webhook"),
    "webhook.resent": gettext_lazy("had a webhook try again"),
    "staff.invited": gettext_lazy("created an invitation: %(role)s"),
    "staff.joined": gettext_lazy("joined the staff: %(role)s"),
    "staff.invite_revoked": gettext_lazy("revoked an invitation: %(role)s"),
    "staff.removed": gettext_lazy("removed %(user)s from the staff: %(role)s"),
    "table_codes.issued": gettext_lazy("created codes: tables %(first_table)s–%(last_table)s"),
    "table_codes.renewed": gettext_lazy("replaced all %(count)s table codes"),
    "table_codes.revoked": gettext_lazy("revoked the codes of all %(count)s tables"),
    "table_codes.revoked_one": gettext_lazy("revoked the code of table %(table)s"),
    "door.opened": gettext_lazy("opened the door"),
    "door.renewed": gettext_lazy("renewed the door code"),
    "door.closed": gettext_lazy("closed the door"),
    "door.claimed": gettext_lazy("said at the door to be %(entry)s"),
    "door.confirmed": gettext_lazy("confirmed at the door: %(entry)s"),
    "door.declined": gettext_lazy("declined at the door: %(entry)s"),
    "entry.registered": gettext_lazy("entered %(count)s: no. %(first_entry)s–%(last_entry)s"),
    "entry.checked_in": gettext_lazy("checked in %(entry)s"),
    "entry.check_in_undone": gettext_lazy("undid the check-in of %(entry)s"),
    "entry.all_checked_in": gettext_lazy("checked in %(count)s players at once"),
    "entry.withdrawn": gettext_lazy("withdrew %(entry)s"),
    "entry.seen": gettext_lazy("saw %(entry)s at the event"),
    "entry.dropped": gettext_lazy("dropped %(entry)s"),
    "entry.returned": gettext_lazy("re-entered %(entry)s"),
    "entry.member_added": gettext_lazy("added a member to %(entry)s: now %(members)s"),
    "entry.member_removed": gettext_lazy("removed member %(place)s from %(entry)s"),
    "entry.member_changed": gettext_lazy("corrected member %(place)s of %(entry)s"),
    "entry.renamed": gettext_lazy("corrected the name of %(entry)s"),
    "person.erased": gettext_lazy("erased their data"),
    "entry.mates_changed": gettext_lazy("changed club or team of %(entry)s"),
    "entry.bye_awarded": gettext_lazy("gave %(entry)s a bye in rounds: %(rounds)s"),
    "entry.bye_taken_back": gettext_lazy("removed the bye of %(entry)s, round %(round)s"),
    "entry.promoted": gettext_lazy("moved %(entry)s up from the waiting list"),
    "entry.link_issued": gettext_lazy("created a personal link for %(entry)s"),
    "entry.links_issued": gettext_lazy("created personal links for %(count)s players"),
    "entry.links_mailed": gettext_lazy("mailed personal links to %(count)s players"),
    "entry.links_revoked": gettext_lazy("revoked the personal links of %(entry)s"),
    "round.paired": gettext_lazy("paired round %(round)s (version %(version)s, seed %(seed)s)"),
    "round.closed": gettext_lazy("closed round %(round)s with its last result"),
    "round.results_changed": gettext_lazy(
        "changed a result used for pairing: round %(match_round)s, table %(table)s (paired since: %(rounds)s)"
    ),
    "round.entered": gettext_lazy("paired round %(round)s by hand (version %(version)s)"),
    "clock.started": gettext_lazy("started the clock, round %(round)s (%(phase)s)"),
    "clock.paused": gettext_lazy("paused the clock, round %(round)s (%(phase)s)"),
    "clock.resumed": gettext_lazy("resumed the clock, round %(round)s (%(phase)s)"),
    "clock.stopped": gettext_lazy("ended the clock, round %(round)s (%(phase)s)"),
    "clock.changed": gettext_lazy("changed the clock by %(seconds)s s, round %(round)s (%(phase)s)"),
    "clock.reset": gettext_lazy("reset the clock, round %(round)s (%(phase)s)"),
    "match.extra_time": gettext_lazy(
        "gave extra time: round %(match_round)s, table %(table)s, %(seconds)s s (total %(total)s)"
    ),
    "round.published": gettext_lazy("published round %(round)s"),
    "stages.set": gettext_lazy("set the stages: %(stages)s"),
    "stage.begun": gettext_lazy("started stage %(stage)s: %(players)s players"),
    "stage.taken_back": gettext_lazy("undid the cut to stage %(stage)s"),
    "round.followed": gettext_lazy("updated round %(round)s after a bracket correction (%(bracket)s)"),
    "round.withdrawn": gettext_lazy("took back round %(round)s (version %(version)s)"),
    "round.swap": gettext_lazy("swapped two players, round %(round)s, %(when)s (tables: %(tables)s)"),
    "round.make": gettext_lazy("created a table, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.break": gettext_lazy("broke up a table or bye, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.bye": gettext_lazy("reassigned a bye, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.lock": gettext_lazy("locked a table, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.unlock": gettext_lazy("unlocked a table, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.move": gettext_lazy("moved a table, round %(round)s, %(when)s (tables: %(tables)s)"),
    "round.seat": gettext_lazy("seated a player at a table, round %(round)s, %(when)s (tables: %(tables)s)"),
    "round.unseat": gettext_lazy("took a player off a table, round %(round)s, %(when)s (table: %(tables)s)"),
    "round.repair": gettext_lazy("paired the rest of round %(round)s, %(when)s (seed %(seed)s; tables: %(tables)s)"),
    "round.mend": gettext_lazy(
        "re-paired the fewest tables after corrections, round %(round)s, %(when)s (tables: %(tables)s)"
    ),
    "round.undo": gettext_lazy("undid change %(undoes)s, round %(round)s, %(when)s (tables: %(tables)s)"),
    "match.seats_turned": gettext_lazy("swapped seats, round %(round)s, %(when)s (table: %(tables)s)"),
    "result.reported": gettext_lazy("reported round %(match_round)s, table %(table)s"),
    "result.confirmed": gettext_lazy("confirmed round %(match_round)s, table %(table)s"),
    "result.contradicted": gettext_lazy("reported differently: round %(match_round)s, table %(table)s"),
    "result.disputed": gettext_lazy("disputed round %(match_round)s, table %(table)s"),
    "result.upheld": gettext_lazy("kept the result: round %(match_round)s, table %(table)s"),
    "result.settled": gettext_lazy("settled round %(match_round)s, table %(table)s"),
    "result.corrected": gettext_lazy("corrected round %(match_round)s, table %(table)s"),
    "result.imposed": gettext_lazy("set a result by penalty: round %(match_round)s, table %(table)s"),
    "client.code_created": gettext_lazy("created a code for a game client: round %(match_round)s, table %(table)s"),
    "client.sent_result": gettext_lazy("sent a result by a game client: round %(match_round)s, table %(table)s"),
    "sheet.filed": gettext_lazy("filed a score sheet: round %(match_round)s, table %(table)s (version %(revision)s)"),
    "sheet.signed": gettext_lazy("signed a score sheet: round %(match_round)s, table %(table)s (version %(revision)s)"),
    "sheet.absent": gettext_lazy("marked %(entry)s as no-show: round %(match_round)s, table %(table)s"),
    "sheet.present": gettext_lazy("marked %(entry)s as present: round %(match_round)s, table %(table)s"),
    "penalty.given": gettext_lazy("gave %(entry)s a penalty: %(kind)s"),
    "penalty.carried": gettext_lazy("moved a penalty of %(entry)s to the new table %(table)s: %(kind)s"),
    "penalty.taken_back": gettext_lazy("undid a penalty of %(entry)s: %(kind)s"),
    "call.made": gettext_lazy("called a judge: round %(match_round)s, table %(table)s"),
    "call.claimed": gettext_lazy("took a call: round %(match_round)s, table %(table)s"),
    "call.released": gettext_lazy("put a call back: round %(match_round)s, table %(table)s"),
    "call.escalated": gettext_lazy("handed a call on: round %(match_round)s, table %(table)s"),
    "call.resolved": gettext_lazy("resolved a call: round %(match_round)s, table %(table)s"),
    "call.lapsed": gettext_lazy("closed a round with an open call: round %(match_round)s, table %(table)s"),
    "call.withdrawn": gettext_lazy("cancelled a call: round %(match_round)s, table %(table)s"),
    "outlook.shown": gettext_lazy("showed all players the forecast"),
    "outlook.hidden": gettext_lazy("hid the forecast from all players"),
    "outlook.asked": gettext_lazy("simulated the rest (%(samples)s runs, seed %(seed)s)"),
    "outlook.stopped": gettext_lazy("stopped the simulation"),
    "deck.registered": gettext_lazy("registered the deck of %(entry)s"),
    "deck.replaced": gettext_lazy("replaced the deck of %(entry)s"),
    "deck.detached": gettext_lazy("removed the deck of %(entry)s: other game or format"),
    ALLOWED: gettext_lazy("allowed an illegal deck"),
    "deck.read": gettext_lazy("read the deck of %(entry)s"),
    "deck.shown_to_opponent": gettext_lazy("saw the deck of %(entry)s as opponent in round %(match_round)s"),
    "deck.reopened": gettext_lazy("reopened the deck of %(entry)s until %(until)s"),
    "deck.shut": gettext_lazy("closed the reopened deck of %(entry)s"),
    "deck.check_drawn": gettext_lazy("drew %(entry)s of %(among)s for a deck check"),
    "deck.checked": gettext_lazy("checked the deck of %(entry)s: %(outcome)s"),
    "deck.placed": gettext_lazy("placed %(entry)s's deck: round %(match_round)s, table %(table)s, game %(game)s"),
    "deck.placed_for": gettext_lazy(
        "placed the deck for %(entry)s: round %(match_round)s, table %(table)s, game %(game)s"
    ),
    "deck.placement_taken_back": gettext_lazy(
        "had %(entry)s stack again: round %(match_round)s, table %(table)s, game %(game)s"
    ),
    "deck.stacking_started": gettext_lazy(
        "began to stack decks: round %(match_round)s, table %(table)s, game %(game)s"
    ),
    "deck.drafted": gettext_lazy("moved the draft: round %(match_round)s, table %(table)s, step %(step)s"),
    "deck.revealed": gettext_lazy("all decks revealed: round %(match_round)s, table %(table)s"),
}
CUTS_BY: Mapping[str, Promise | str] = {
    "lot": gettext_lazy("started stage %(stage)s: %(players)s players, tie at the cut drawn by lot"),
    "chosen": gettext_lazy("started stage %(stage)s: %(players)s players, decided a tie at the cut"),
}
"""The act of beginning a stage in words, where the cut ran through a tie."""
ENTERED_ONE = gettext_lazy("entered no. %(first_entry)s")
State = Tournament.State
CHANGES_OF_STATE: Mapping[tuple[str, str], Promise | str] = {
    (State.DRAFT, State.REGISTRATION): gettext_lazy("opened registration"),
    (State.REGISTRATION, State.DRAFT): gettext_lazy("closed registration"),
    (State.DRAFT, State.RUNNING): gettext_lazy("started the event"),
    (State.REGISTRATION, State.RUNNING): gettext_lazy("started the event"),
    (State.RUNNING, State.FINISHED): gettext_lazy("finished the event"),
    (State.FINISHED, State.RUNNING): gettext_lazy("reopened the event"),
    **{(each, State.CANCELLED): gettext_lazy("cancelled the event") for each in State},
}
"""The act of changing an event's state in words, by the states before and after."""
PAIRED_WITHOUT = gettext_lazy(
    "paired round %(round)s without %(missing)s results (version %(version)s, seed %(seed)s; round/table: %(without)s)"
)
"""The act of pairing in words, where results were missing."""
MOVED_UP = gettext_lazy("moved the deck of %(entry)s up by a place")
"""The act of registering a deck again in words, where its player moved up as another member left."""
ALLOWED_WHOSE = gettext_lazy("allowed the illegal deck of %(entry)s")
"""The act of allowing a deck in words, for judges, who alone know whose deck is not legal."""
NEEDS: Mapping[str, Promise | str] = {
    "table": gettext_lazy("gave %(entry)s the fixed table %(table)s"),
    "no_table": gettext_lazy("removed the fixed table of %(entry)s"),
    "apart": gettext_lazy("put %(entry)s and %(other)s on the avoid list"),
    "meet": gettext_lazy("took %(entry)s and %(other)s off the avoid list"),
    "private": gettext_lazy("changed the private needs of %(entry)s"),
    "": gettext_lazy("changed pairing constraints"),
}
"""The act about a person's needs in words, by what was done."""
ROLES: Mapping[str, Promise | str] = {
    "system": gettext_lazy("the system"),
    "player": gettext_lazy("player"),
    "guest": gettext_lazy("guest"),
    "table": gettext_lazy("code of a table"),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of the log as people read it; `personal` are the names and reasons that were not erased.

    None are shown where they are `withheld` from the reader.
    """

    entry: LedgerEntry
    actor: str
    role: str
    words: str
    personal: tuple[str, ...]
    erased: bool
    withheld: bool
    score: str = ""


def log_line(
    entry: LedgerEntry, names: Names, withheld: Collection[str] = (), scores: Mapping[object, str] | None = None
) -> LogLine:
    """One entry in words, acts `withheld` without notes and reasons; an act without a sentence shows its own name.

    `scores` are the results of reports by their ids.
    """
    values = sorted(entry.personal_values.all(), key=lambda value: value.pk)
    hides = entry.act in withheld
    shown = [value for value in values if _is_shown(entry, value.key)]
    sentence = ALLOWED_WHOSE if entry.act == ALLOWED and not hides else _sentence_of(entry)
    return LogLine(
        entry=entry,
        actor=names.actors.get(entry.actor) or _actor_without_name(entry.actor),
        role=role_in_words(entry.role),
        words=str(sentence) % facts_of(entry, names) if sentence is not None else entry.act,
        personal=() if hides else tuple(value.value for value in shown),
        erased=not hides and len(values) < len(entry.digests),
        withheld=hides and bool(entry.digests),
        score=(scores or {}).get(entry.subjects.get("report"), ""),
    )


def _is_shown(entry: LedgerEntry, key: str) -> bool:
    """Whether a personal value stands beside the sentence, which holds the others."""
    return key == "reason" if entry.act in (NEED, ALLOWED) else entry.act not in PENALTIES or key != "kind"


def _sentence_of(entry: LedgerEntry) -> Promise | str | None:
    if entry.act == NEED:
        return NEEDS[str(stated_in(entry).get("what", ""))]
    if entry.act == "stage.begun" and "tie" in entry.subjects:
        return CUTS_BY[str(entry.subjects["tie"])]
    if entry.act == "deck.registered" and "was" in entry.subjects:
        return MOVED_UP
    if entry.act == "entry.registered" and entry.subjects.get("count") == 1:
        return ENTERED_ONE
    if entry.act == "event.state_changed":
        change = (str(entry.subjects.get("from")), str(entry.subjects.get("to")))
        return CHANGES_OF_STATE.get(change, SENTENCES[entry.act])
    return PAIRED_WITHOUT if "without" in entry.subjects else SENTENCES.get(entry.act)


def facts_of(entry: LedgerEntry, names: Names) -> Mapping[str, str]:
    """What the sentence may name, as text; whatever is missing is a question mark."""
    facts: dict[str, str] = defaultdict(lambda: "?")
    stated = stated_in(entry)
    facts |= {key: str(value) for key, value in stated.items()}
    facts["when"] = _("after publishing") if entry.subjects.get("published") else _("before publishing")
    facts["tables"] = str(stated.get("tables") or "–")
    states = dict(Tournament.State.choices)
    for key in ("from", "to"):
        facts[key] = str(states.get(facts[key], facts[key]))
    facts["kind"] = str(dict(Penalty.Kind.choices).get(facts["kind"], facts["kind"]))
    facts["task"] = task_words(facts["task"])
    facts["stages"] = ", ".join(_stage_in_words(each) for each in str(stated.get("stages", "?")).split(", "))
    facts["outcome"] = str(dict(DeckCheck.Outcome.choices).get(facts["outcome"], facts["outcome"]))
    match, user = (entry.subjects.get(key) for key in ("match", "user"))
    for key in ("entry", "other"):
        if (number := stated.get(key)) is not None:
            name = names.entries.get(int(number), "")
            facts[key] = _("no. %(number)s %(name)s") % {"number": number, "name": name}
    if "member" in entry.subjects:
        facts["entry"] = _("%(entry)s, member %(place)s") % {"entry": facts["entry"], "place": facts["member"]}
    facts["role"] = role_in_words(str(entry.subjects.get("role", "")))
    facts["user"] = names.users.get(int(user or 0), _("someone"))
    facts["match_round"] = str(names.rounds.get(int(match or 0), "?"))
    for key in ("round", "match_round"):
        facts[key] = _round_in_words(facts[key], names)
    return facts


def _round_in_words(number: str, names: Names) -> str:
    """The number of a round with its name, where it has one: 8 (Quarter-finals)."""
    called = names.called.get(int(number)) if number.isdecimal() else None
    return _("%(number)s (%(name)s)") % {"number": number, "name": called} if called else number


def _stage_in_words(stored: str) -> str:
    """A stage as the log keeps it, “single (top 8)”, with its kind in words."""
    kind, space, cut = stored.partition(" ")
    return f"{dict(Stage.Kind.choices).get(kind, kind)}{space}{cut}"


def role_in_words(name: str) -> str:
    """A role's name for people."""
    return str({**dict(Role.Name.choices), **ROLES}.get(name, name))


def _actor_without_name(key: str) -> str:
    return {"system": _("the system"), "anonymous": _("a visitor")}.get(key, _("someone (%(key)s)") % {"key": key})
