"""The page that shows the API and lets people try it."""

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView


@method_decorator(csp_update({"img-src": ["'self'", "data:"]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from our own host, nothing inline; its style sheet draws icons from data: addresses."""

    url_name = "api:schema"
    template_name = "api/docs.html"
