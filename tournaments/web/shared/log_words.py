"""The log in words: one sentence for each act."""

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
    "act.undone": gettext_lazy("undid act %(of)s of this log"),
    "event.created": gettext_lazy("made the event"),
    "event.copied": gettext_lazy("made the event from another one"),
    "event.rehearsed": gettext_lazy("began a rehearsal with %(players)s made-up players (seed %(seed)s)"),
    "event.discarded": gettext_lazy("threw the rehearsal away"),
    "event.settings_changed": gettext_lazy("changed settings: %(changed)s"),
    "event.state_changed": gettext_lazy("took the event from “%(from)s” to “%(to)s”"),
    "announcement.posted": gettext_lazy("told the room"),
    "announcement.withdrawn": gettext_lazy("withdrew an announcement"),
    "work.tried_again": gettext_lazy("had background work tried again: %(task)s"),
    "staff.invited": gettext_lazy("made an invitation: %(role)s"),
    "staff.joined": gettext_lazy("joined the staff: %(role)s"),
    "staff.invite_revoked": gettext_lazy("revoked an invitation: %(role)s"),
    "staff.removed": gettext_lazy("removed %(user)s from the staff: %(role)s"),
    "table_codes.issued": gettext_lazy("made codes for tables %(first_table)s to %(last_table)s"),
    "table_codes.renewed": gettext_lazy("made new codes for all %(count)s tables"),
    "table_codes.revoked": gettext_lazy("revoked the codes of all %(count)s tables"),
    "table_codes.revoked_one": gettext_lazy("revoked the code of table %(table)s"),
    "entry.registered": gettext_lazy("entered %(count)s: no. %(first_entry)s to %(last_entry)s"),
    "entry.checked_in": gettext_lazy("checked in %(entry)s"),
    "entry.check_in_undone": gettext_lazy("took back the check-in of %(entry)s"),
    "entry.all_checked_in": gettext_lazy("checked in all %(count)s who were missing"),
    "entry.withdrawn": gettext_lazy("withdrew %(entry)s"),
    "entry.dropped": gettext_lazy("dropped %(entry)s"),
    "entry.returned": gettext_lazy("took %(entry)s back in"),
    "entry.member_added": gettext_lazy("added a member to %(entry)s, who are %(members)s now"),
    "entry.mates_changed": gettext_lazy("changed club or team of %(entry)s"),
    "entry.bye_awarded": gettext_lazy("gave %(entry)s a bye in rounds: %(rounds)s"),
    "entry.bye_taken_back": gettext_lazy("took back the bye of %(entry)s in round %(round)s"),
    "entry.promoted": gettext_lazy("moved %(entry)s up from the waiting list"),
    "entry.link_issued": gettext_lazy("made a personal link for %(entry)s"),
    "entry.links_revoked": gettext_lazy("revoked the personal links of %(entry)s"),
    "round.paired": gettext_lazy("paired round %(round)s (version %(version)s, seed %(seed)s)"),
    "round.closed": gettext_lazy("closed round %(round)s with the last result it waited for"),
    "round.results_changed": gettext_lazy(
        "changed a result that other rounds were paired on: round %(match_round)s, table %(table)s "
        "(paired since: %(rounds)s)"
    ),
    "round.entered": gettext_lazy("entered the pairings of round %(round)s by hand (version %(version)s)"),
    "clock.started": gettext_lazy("started the clock of round %(round)s (%(phase)s)"),
    "clock.paused": gettext_lazy("paused the clock of round %(round)s (%(phase)s)"),
    "clock.resumed": gettext_lazy("let the clock of round %(round)s go on (%(phase)s)"),
    "clock.stopped": gettext_lazy("ended the time of round %(round)s (%(phase)s)"),
    "clock.changed": gettext_lazy("changed the time of round %(round)s by %(seconds)s seconds (%(phase)s)"),
    "clock.reset": gettext_lazy("put the clock of round %(round)s back to its start (%(phase)s)"),
    "match.extra_time": gettext_lazy(
        "gave round %(match_round)s, table %(table)s extra time: %(seconds)s seconds, %(total)s in all"
    ),
    "round.published": gettext_lazy("published round %(round)s"),
    "stages.set": gettext_lazy("set the stages: %(stages)s"),
    "stage.begun": gettext_lazy("began stage %(stage)s with %(players)s players"),
    "stage.taken_back": gettext_lazy("took back the cut to stage %(stage)s"),
    "round.followed": gettext_lazy("let round %(round)s follow a changed result of the bracket (%(bracket)s)"),
    "round.withdrawn": gettext_lazy("took round %(round)s back (version %(version)s)"),
    "round.swap": gettext_lazy("swapped two players of round %(round)s %(when)s (tables: %(tables)s)"),
    "round.make": gettext_lazy("made a table of round %(round)s %(when)s (table: %(tables)s)"),
    "round.break": gettext_lazy("took a table or a bye of round %(round)s apart %(when)s (table: %(tables)s)"),
    "round.bye": gettext_lazy("gave a bye of round %(round)s to somebody else %(when)s (table: %(tables)s)"),
    "round.lock": gettext_lazy("locked a table of round %(round)s %(when)s (table: %(tables)s)"),
    "round.unlock": gettext_lazy("unlocked a table of round %(round)s %(when)s (table: %(tables)s)"),
    "round.move": gettext_lazy("moved a table of round %(round)s %(when)s (tables: %(tables)s)"),
    "round.repair": gettext_lazy(
        "paired the rest of round %(round)s again %(when)s (seed %(seed)s; tables: %(tables)s)"
    ),
    "round.mend": gettext_lazy(
        "paired the fewest tables of round %(round)s again %(when)s, by results that changed (tables: %(tables)s)"
    ),
    "round.undo": gettext_lazy("undid change %(undoes)s of round %(round)s %(when)s (tables: %(tables)s)"),
    "match.seats_turned": gettext_lazy("turned the seats of a table of round %(round)s %(when)s (table: %(tables)s)"),
    "result.reported": gettext_lazy("reported round %(match_round)s, table %(table)s"),
    "result.confirmed": gettext_lazy("confirmed round %(match_round)s, table %(table)s"),
    "result.contradicted": gettext_lazy("reported otherwise: round %(match_round)s, table %(table)s"),
    "result.disputed": gettext_lazy("disputed round %(match_round)s, table %(table)s"),
    "result.upheld": gettext_lazy("upheld the result of round %(match_round)s, table %(table)s"),
    "result.settled": gettext_lazy("settled round %(match_round)s, table %(table)s"),
    "result.corrected": gettext_lazy("corrected round %(match_round)s, table %(table)s"),
    "result.imposed": gettext_lazy("gave round %(match_round)s, table %(table)s a result by a penalty"),
    "sheet.filed": gettext_lazy(
        "filed the score sheet of round %(match_round)s, table %(table)s (version %(revision)s)"
    ),
    "sheet.signed": gettext_lazy(
        "signed the score sheet of round %(match_round)s, table %(table)s (version %(revision)s)"
    ),
    "sheet.absent": gettext_lazy("said that %(entry)s did not come: round %(match_round)s, table %(table)s"),
    "sheet.present": gettext_lazy("said that %(entry)s came after all: round %(match_round)s, table %(table)s"),
    "penalty.given": gettext_lazy("gave %(entry)s a penalty: %(kind)s"),
    "penalty.taken_back": gettext_lazy("took back a penalty of %(entry)s: %(kind)s"),
    "call.made": gettext_lazy("called a judge: round %(match_round)s, table %(table)s"),
    "call.claimed": gettext_lazy("took a call: round %(match_round)s, table %(table)s"),
    "call.released": gettext_lazy("put a call back: round %(match_round)s, table %(table)s"),
    "call.escalated": gettext_lazy("handed a call on: round %(match_round)s, table %(table)s"),
    "call.resolved": gettext_lazy("resolved a call: round %(match_round)s, table %(table)s"),
    "call.lapsed": gettext_lazy("closed the round of an open call: round %(match_round)s, table %(table)s"),
    "call.withdrawn": gettext_lazy("took the own call back: round %(match_round)s, table %(table)s"),
    "outlook.shown": gettext_lazy("lets all players see what they need"),
    "outlook.hidden": gettext_lazy("lets no player see what is needed"),
    "outlook.asked": gettext_lazy("had the rest simulated (%(samples)s courses, seed %(seed)s)"),
    "outlook.stopped": gettext_lazy("stopped the simulation"),
    "deck.registered": gettext_lazy("registered the deck of %(entry)s"),
    "deck.replaced": gettext_lazy("replaced the deck of %(entry)s"),
    "deck.detached": gettext_lazy("took off the deck of %(entry)s: it is of another game or format"),
    ALLOWED: gettext_lazy("let a deck be played although it is not legal"),
    "deck.read": gettext_lazy("read the deck of %(entry)s"),
    "deck.shown_to_opponent": gettext_lazy("was shown the deck of %(entry)s as the opponent of round %(match_round)s"),
    "deck.reopened": gettext_lazy("reopened the deck of %(entry)s until %(until)s"),
    "deck.shut": gettext_lazy("shut the reopened deck of %(entry)s"),
    "deck.check_drawn": gettext_lazy("drew %(entry)s for a deck check, among %(among)s (seed %(seed)s)"),
    "deck.checked": gettext_lazy("checked the deck of %(entry)s: %(outcome)s"),
    "deck.placed": gettext_lazy("placed the deck of %(entry)s: round %(match_round)s, table %(table)s, game %(game)s"),
    "deck.placed_for": gettext_lazy(
        "placed the deck for %(entry)s: round %(match_round)s, table %(table)s, game %(game)s"
    ),
    "deck.placement_taken_back": gettext_lazy(
        "had %(entry)s stack again: round %(match_round)s, table %(table)s, game %(game)s"
    ),
    "deck.revealed": gettext_lazy("all decks are placed and revealed: round %(match_round)s, table %(table)s"),
}
CUTS_BY: Mapping[str, Promise | str] = {
    "lot": gettext_lazy("began stage %(stage)s with %(players)s players; the lot decided a tie at the cut"),
    "chosen": gettext_lazy("began stage %(stage)s with %(players)s players and decided a tie at the cut"),
}
"""The act of beginning a stage in words, where the cut ran through a tie."""
PAIRED_WITHOUT = gettext_lazy(
    "paired round %(round)s without %(missing)s results (version %(version)s, seed %(seed)s; round/table: %(without)s)"
)
"""The act of pairing in words, where results were missing."""
ALLOWED_WHOSE = gettext_lazy("let the deck of %(entry)s be played although it is not legal")
"""The act of allowing a deck in words, for judges, who alone know whose deck is not legal."""
NEEDS: Mapping[str, Promise | str] = {
    "table": gettext_lazy("gave %(entry)s the fixed table %(table)s"),
    "no_table": gettext_lazy("took the fixed table of %(entry)s away"),
    "apart": gettext_lazy("keeps %(entry)s and %(other)s apart"),
    "meet": gettext_lazy("lets %(entry)s and %(other)s meet again"),
    "": gettext_lazy("changed what somebody needs"),
}
"""The act about somebody's needs in words, by what was done."""
ROLES: Mapping[str, Promise | str] = {
    "system": gettext_lazy("the system"),
    "player": gettext_lazy("player"),
    "guest": gettext_lazy("guest"),
    "table": gettext_lazy("code of a table"),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of the log as people read it; `personal` are the names and reasons that were not erased.

    None are told where they are `withheld` from the reader.
    """

    entry: LedgerEntry
    actor: str
    role: str
    words: str
    personal: tuple[str, ...]
    erased: bool
    withheld: bool


def log_line(entry: LedgerEntry, names: Names, withheld: Collection[str] = ()) -> LogLine:
    """One entry in words, acts `withheld` without notes and reasons; an act without a sentence shows its own name."""
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
    )


def _is_shown(entry: LedgerEntry, key: str) -> bool:
    """Whether a personal value stands beside the sentence, which holds the others."""
    return key == "reason" if entry.act in (NEED, ALLOWED) else entry.act not in PENALTIES or key != "kind"


def _sentence_of(entry: LedgerEntry) -> Promise | str | None:
    if entry.act == NEED:
        return NEEDS[str(stated_in(entry).get("what", ""))]
    if entry.act == "stage.begun" and "tie" in entry.subjects:
        return CUTS_BY[str(entry.subjects["tie"])]
    return PAIRED_WITHOUT if "without" in entry.subjects else SENTENCES.get(entry.act)


def facts_of(entry: LedgerEntry, names: Names) -> Mapping[str, str]:
    """What the sentence may name, as text; whatever is missing is a question mark."""
    facts: dict[str, str] = defaultdict(lambda: "?")
    stated = stated_in(entry)
    facts |= {key: str(value) for key, value in stated.items()}
    facts["when"] = _("after publishing") if entry.subjects.get("published") else _("before publishing")
    facts["tables"] = str(stated.get("tables") or _("none"))
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
    facts["role"] = role_in_words(str(entry.subjects.get("role", "")))
    facts["user"] = names.users.get(int(user or 0), _("somebody"))
    facts["match_round"] = str(names.rounds.get(int(match or 0), "?"))
    for key in ("round", "match_round"):
        facts[key] = _round_in_words(facts[key], names)
    return facts


def _round_in_words(number: str, names: Names) -> str:
    """The number of a round with its name, where it has one: 8 (Quarter-finals)."""
    called = names.called.get(int(number)) if number.isdecimal() else None
    return _("%(number)s (%(name)s)") % {"number": number, "name": called} if called else number


def _stage_in_words(told: str) -> str:
    """A stage as the log keeps it, “single (top 8)”, with its kind in words."""
    kind, space, cut = told.partition(" ")
    return f"{dict(Stage.Kind.choices).get(kind, kind)}{space}{cut}"


def role_in_words(name: str) -> str:
    """A role's name for people."""
    return str({**dict(Role.Name.choices), **ROLES}.get(name, name))


def _actor_without_name(key: str) -> str:
    known = {"system": _("the system"), "anonymous": _("a visitor")}
    return known.get(key, _("somebody (%(key)s)") % {"key": key})
