"""The page of an event's webhooks: what goes where, what does not arrive, and a new one."""

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from tournaments.models import Tournament, Webhook
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.webhooks.forms import WebhookForm
from tournaments.webhooks.selectors import webhooks_of
from tournaments.webhooks.services import create_webhook, delete_webhook, resend_webhook

FIELD_FOR_ERROR = dict.fromkeys(("bad_webhook_address", "too_many_webhooks"), "url")


@event_view("event.webhooks", "GET", "POST", fresh=True)
def manage_webhooks(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/webhooks/: how each goes; POST creates one and shows its secret this once."""
    form, created = WebhookForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        now = database_now()
        created = call_service(
            form, lambda: create_webhook(request.actor, tournament, now=now, **form.cleaned_data), FIELD_FOR_ERROR
        )
    context = {
        "here": "webhooks",
        "form": WebhookForm() if created else form,
        "secret": created.secret if created and created.kind == Webhook.Kind.SIGNED else "",
        "created": created,
        "webhooks": [(each, fault_words(each.last_error), _topics(each)) for each in webhooks_of(tournament)],
    }
    response = render_event(request, tournament, "organiser/webhooks.html", context)
    return shown_once(response) if created else response


@event_view("event.webhooks", "POST")
def resend(request: ActorRequest, tournament: Tournament, webhook_id: int) -> HttpResponse:
    """POST …/webhooks/<id>/resend/: try again at once."""
    back, now = manage_url(tournament, "manage_webhooks"), database_now()
    done = _("Retrying. Reload in a moment.")
    return run_action(request, lambda: resend_webhook(request.actor, tournament, webhook_id, now), done, back)


@event_view("event.webhooks", "POST")
def delete(request: ActorRequest, tournament: Tournament, webhook_id: int) -> HttpResponse:
    """POST …/webhooks/<id>/delete/: send nothing more to an address."""
    back, now = manage_url(tournament, "manage_webhooks"), database_now()
    done = _("Webhook deleted.")
    return run_action(request, lambda: delete_webhook(request.actor, tournament, webhook_id, now), done, back)


def fault_words(error: str) -> str:
    """Why a delivery did not arrive, in words; "" for no fault."""
    if not error:
        return ""
    if error.isdigit():
        return _("The receiver answered %(status)s.") % {"status": error}
    if error == "refused":
        return _("The address isn't a public one.")
    return _("The receiver didn't answer (%(fault)s).") % {"fault": error}


def _topics(webhook: Webhook) -> str:
    """What a program is sent, in words; "" for everything and for chats."""
    if webhook.kind != Webhook.Kind.SIGNED or len(webhook.topics) in (0, len(Webhook.Topic)):
        return ""
    return " · ".join(str(Webhook.Topic(each).label) for each in webhook.topics)
