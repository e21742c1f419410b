"""Settings changed while others may change them too: what is frozen, and what follows for the queue and the decks."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import limit_personal_links
from journal.marks import mark_of
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from rules_engine.ways import Way
from scoring.standings.records import ScoringPolicy
from tournaments.core.ledger import expect_state, lock_tournament, log_act
from tournaments.core.links import last_of_links
from tournaments.core.ways import base_format, find_way, way_of
from tournaments.decks.selectors.decks import SHOWING_LESS, decks_are_locked, judged_on
from tournaments.decks.services.decks import judge_decks_again
from tournaments.entries.services.attendance import promote_waiting
from tournaments.events.services.event_drafts import EventDraft, apply_draft, follow_way, standard_policy
from tournaments.models import EntryMember, Round, Tournament
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.sheets.selectors.sheets import without_signatures
from tournaments.sheets.services.filing import accept_signed_sheets
from tournaments.structure.services.stage_drafts import stage_drafts_of, stages_for_game, usual_stages
from tournaments.structure.services.stages import store_stages
from tournaments.table_access.selectors import last_moment
from tournaments.table_access.services import move_ends

State = Tournament.State
FROZEN_AT_START = frozenset(
    {
        "game",
        "game_format",
        "variant",
        "way",
        "best_of",
        "exact_games",
        "policy",
        "scores_as_recorded",
        "score_sheets",
        "sheet_options",
    }
)
PLAY = ("game", "game_format", "variant", "way")
LEFT_OPEN = {"best_of": None, "exact_games": False, "deciding_game": "", "score_sheets": None, "sheet_options": None}
"""What an organiser has not said once another way to play was chosen."""


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """An event after a change of its settings, and how many registered decks no longer belonged to its format."""

    tournament: Tournament
    decks_detached: int


def draft_of_event(tournament: Tournament) -> EventDraft:
    """An event's settings as an organiser would say them."""
    values = {item.name: getattr(tournament, item.name) for item in fields(EventDraft)}
    return EventDraft(**{**values, "policy": tournament.scoring_policy, "pairing": tournament.pairing_policy})


def changes_of(draft: EventDraft) -> dict[str, object]:
    """Every setting of a draft as changes for `update_settings`."""
    return {item.name: getattr(draft, item.name) for item in fields(draft)}


def settings_mark(tournament: Tournament) -> str:
    """A short mark of all settings: another one means that a person changed them."""
    pairing = tournament.pairing_policy.as_dict()
    values = {**changes_of(draft_of_event(tournament)), "policy": tournament.policy, "pairing": pairing}
    return mark_of(values, _moment_text)


def _moment_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


@in_transaction
def update_settings(
    actor: Actor, tournament: Tournament, changes: Mapping[str, object], now: datetime, *, seen: str | None = None
) -> SettingsChange:
    """Store changed settings (names of EventDraft); what `changes` leaves out stays. Places and decks follow, and with
    another day so does until when personal links and table codes open.

    `policy` may be a ScoringPolicy or a mapping of the rules of scoring that change, `pairing` likewise a PairingPolicy
    or a mapping, which counts from the next round paired. Who signs score sheets can change while the event runs: a
    sheet that has its signatures by then counts at once. `seen` is the `settings_mark` that the organiser looked at:
    Conflict "settings_changed" when it is another by now. Rules that decide results are frozen once the event runs
    (DomainError "rules_frozen"); decks that are locked stay so ("deck_deadline_passed"), and players who registered one
    were promised who will see it: then it can only become less ("deck_publish_told"). Stages that another game or
    length of a match does not allow are refused ("bad_stage"); those that are usual become the usual ones of the new
    game.
    """
    tournament = lock_tournament(tournament)
    expect_state(tournament, State.DRAFT, State.REGISTRATION, State.RUNNING)
    if seen is not None and seen != settings_mark(tournament):
        raise Conflict(
            "settings_changed",
            _("The settings have changed. Check before you save."),
        )
    before, day, paired_by = changes_of(draft_of_event(tournament)), judged_on(tournament), tournament.pairing_policy
    locked, deadline = decks_are_locked(tournament, now), tournament.deck_deadline
    end_of_day = last_moment(tournament, tournament.starts_at)
    were_usual = stage_drafts_of(tournament) == usual_stages(tournament)
    apply_draft(tournament, _changed_draft(tournament, changes))
    after = changes_of(draft_of_event(tournament))
    changed = sorted(name for name in after if after[name] != before[name])
    if tournament.state == State.RUNNING:
        _check_frozen(tournament, [name for name in changed if not _is_about_signatures(name, before, after)])
    stages = stages_for_game(tournament, were_usual=were_usual)
    if locked:
        _check_deadline(deadline, tournament.deck_deadline)
    _check_publish(tournament, str(before["deck_publish"]))
    _check_rehearsal(tournament)
    tournament.save()
    if stages != stage_drafts_of(tournament):
        store_stages(tournament, stages)
    names = [*changed, *_pairing_changes(paired_by, tournament.pairing_policy)]
    log_act(tournament, "event.settings_changed", actor, now, {"changed": " ".join(names)})
    if not {"starts_at", "time_zone"}.isdisjoint(changed):
        limit_personal_links(tournament.stream, last_of_links(tournament, now))
        move_ends(tournament, end_of_day, now)
    if "sheet_options" in changed:
        accept_signed_sheets(actor, tournament, now)
    if "capacity" in changed:
        promote_waiting(actor, tournament, now)
    judged_anew = day != judged_on(tournament) or not {"game", "game_format", "variant"}.isdisjoint(changed)
    return SettingsChange(tournament, judge_decks_again(actor, tournament, now) if judged_anew else 0)


def _changed_draft(tournament: Tournament, changes: Mapping[str, object]) -> EventDraft:
    stored = draft_of_event(tournament)
    values: dict[str, Any] = dict(changes)
    values["policy"] = _changed_policy(tournament, changes)
    values["pairing"] = _changed_pairing(tournament, changes.get("pairing", {}))
    if tournament.state == State.RUNNING and values.get("swiss_rounds") is None:
        values["swiss_rounds"] = tournament.swiss_rounds
    draft = replace(stored, **values)
    if all(getattr(draft, name) == getattr(stored, name) for name in PLAY):
        return replace(follow_way(draft), way=stored.way, variant=stored.variant)
    return follow_way(replace(draft, **_left_open(tournament, draft, changes)))


def _left_open(tournament: Tournament, draft: EventDraft, changes: Mapping[str, object]) -> dict[str, Any]:
    """What follows another game, format or way; where only the card rules change, the way to play stays."""
    before = way_of(tournament)
    same_format = (draft.game, draft.game_format) == (tournament.game, tournament.game_format)
    opened: dict[str, Any] = {} if same_format or "variant" in changes else {"variant": ""}
    if "way" not in changes:
        stays = draft.game == tournament.game and _plays(before, draft.game, draft.game_format, draft.variant)
        opened["way"] = before.slug if stays else ""
    wanted = replace(draft, **opened)
    way = find_way(wanted.game, wanted.game_format, wanted.variant, wanted.way)
    if (draft.game, way.slug) != (tournament.game, before.slug):
        opened |= {name: value for name, value in LEFT_OPEN.items() if name not in changes}
    return opened


def _plays(way: Way, game: str, game_format: str, variant: str) -> bool:
    """Whether a way plays a format, shipped or of the house, in this variant ("" for any)."""
    return (way.format, variant or way.variant) == (base_format(game_format), way.variant)


def _changed_policy(tournament: Tournament, changes: Mapping[str, object]) -> ScoringPolicy | None:
    """The rules of scoring after `changes`; a bye's games follow the match length where they did before."""
    given = changes.get("policy", {})
    if given is None or isinstance(given, ScoringPolicy):
        return given
    values = tournament.scoring_policy.as_dict()
    usual, length = standard_policy(tournament.best_of).bye_games, changes.get("best_of")
    follows = tournament.state != State.RUNNING and tournament.scoring_policy.bye_games == usual
    if follows and isinstance(length, int):
        values["bye_games"] = standard_policy(length).bye_games
    return ScoringPolicy.from_dict({**values, **(given if isinstance(given, Mapping) else {})})


def _changed_pairing(tournament: Tournament, given: object) -> PairingPolicy | None:
    if given is None or isinstance(given, PairingPolicy):
        return given
    return PairingPolicy.from_dict(
        {**tournament.pairing_policy.as_dict(), **(given if isinstance(given, Mapping) else {})}
    )


def _pairing_changes(before: PairingPolicy, after: PairingPolicy) -> list[str]:
    """What the rules of pairing are now where they changed, for the log: "clubs=soft"."""
    was = before.as_dict()
    return [f"{name}={value}" for name, value in after.as_dict().items() if value != was[name]]


def _check_frozen(tournament: Tournament, changed: list[str]) -> None:
    if frozen := sorted(FROZEN_AT_START.intersection(changed)):
        raise DomainError(
            "rules_frozen",
            _("The event is running: game, format, match length, scoring and sheets are fixed."),
            fields=frozen,
        )
    paired = Round.objects.filter(stage__tournament=tournament, stage__number=1, superseded_at=None).count()
    if tournament.swiss_rounds is not None and tournament.swiss_rounds < paired:
        raise DomainError(
            "too_few_rounds", _("You can't plan fewer rounds than are already paired (%(count)d).") % {"count": paired}
        )


def _is_about_signatures(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a setting changed in nothing but who signs a score sheet: no result is another one by that."""
    return name == "sheet_options" and without_signatures(before[name]) == without_signatures(after[name])


def _check_deadline(before: datetime | None, after: datetime | None) -> None:
    """Refuse a deadline that would promise to unlock locked decks."""
    if after != before and (before is None or after is None or after > before):
        raise DomainError(
            "deck_deadline_passed",
            _(
                "Decks are locked: you can't move the deadline any more. A judge can still change a deck, with a "
                "reason."
            ),
            field="deck_deadline",
        )


def _check_rehearsal(tournament: Tournament) -> None:
    if tournament.rehearsal_of_id is not None and tournament.visibility != Tournament.Visibility.PRIVATE:
        raise DomainError("rehearsal_is_private", _("A rehearsal stays private."), field="visibility")


def _check_publish(tournament: Tournament, before: str) -> None:
    """Refuse to show lists to more people, or earlier, than the players were promised who registered one."""
    if tournament.deck_publish == before or (before, tournament.deck_publish) in SHOWING_LESS:
        return
    if EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False).exists():
        raise DomainError(
            "deck_publish_told",
            _("Players have registered decks: you can only show less."),
            field="deck_publish",
        )
