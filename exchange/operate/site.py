from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from exchange.accounts.permissions import is_operator


class OperatorSite(AdminSite):
    """Django's admin for administrators of the site, who log in like everybody. Others find nothing here."""

    site_header = site_title = _("Operators of the LLM Benchmark Exchange")
    index_title = _("What concerns the whole site")
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return is_operator(request.actor)  # type: ignore[attr-defined]  # ActorMiddleware sets it

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404
        wanted = request.GET.get("next", "")
        return HttpResponseRedirect(f"{reverse('login')}?{urlencode({'next': wanted})}")

    def logout(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        """One logs out where one logs in."""
        return HttpResponseRedirect(reverse("profile"))

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        """Passwords are changed by our own rules, in the profile."""
        return HttpResponseRedirect(reverse("profile"))
