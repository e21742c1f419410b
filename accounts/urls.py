"""Addresses of personal links and of our own account pages; they come before allauth's."""

from django.urls import path

import accounts.http.schema  # noqa: F401 - registers itself
from accounts.identity import web
from accounts.notifications import views

urlpatterns = [
    path("p/<str:token>/", web.personal_link, name="personal_link"),
    path("accounts/leave-phone/", web.leave_phone, name="leave_phone"),
    path("my/told/push/", views.push_on, name="push_on"),
    path("my/told/push/off/", views.push_off, name="push_off"),
    path("my/told/mail/", views.mails, name="told_mails"),
    path("my/told/mail/<str:token>/", views.mail_link, name="mail_link"),
    path("accounts/me/", web.my_account, name="my_account"),
    path("accounts/me/name/", web.rename, name="rename_account"),
    path("accounts/tokens/", web.my_tokens, name="my_tokens"),
    path("accounts/tokens/<slug:public_id>/revoke/", web.revoke_token, name="revoke_token"),
    path("accounts/reset-link/", web.reset_link, name="reset_link"),
    path("accounts/password/reset/", web.password_reset, name="account_reset_password"),
]
