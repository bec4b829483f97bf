import re

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import TEXT, operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet
from submissions.campaigns import comparing, exports, selectors, services

from . import serializers as s

FILES = {"application/json": {"type": "object"}, "text/csv": TEXT}
_OWN_PROGRAM = re.compile(r"llm-benchmark-exchange/\S+ python/\S+ (cli|mcp)")


def door(request):
    """Ours say in their user agent what they are; whoever else asks is a program."""
    ours = _OWN_PROGRAM.fullmatch(request.headers.get("User-Agent", ""))
    return s.CampaignVia(ours[1]) if ours else s.CampaignVia.API


class CampaignViewSet(ApiViewSet):
    @operation(s.ListCampaignsRequestSerializer, page_of=s.CampaignSerializer, needs_log_in=True)
    def list(self, request):
        filters, page = split_page(parse(s.ListCampaignsRequestSerializer, query(request)))
        rows = selectors.list_campaigns(actor=request.user, **filters)
        return Response(shown_page(s.CampaignSerializer, rows, page))

    @operation(s.StartCampaignRequestSerializer, accepts=s.CampaignSerializer)
    def create(self, request):
        """All of it is queued, or nothing; `GET /campaigns/{id}` says how far it is."""
        form = parse(s.StartCampaignRequestSerializer, body(request))
        campaign = services.start_campaign(actor=request.user, via=door(request), **form)
        return Response(s.CampaignSerializer(campaign).data, 202)

    @operation(s.GetCampaignRequestSerializer, shows=s.CampaignSerializer, needs_log_in=True)
    def retrieve(self, request, pk):
        form = parse(s.GetCampaignRequestSerializer, {"id": pk})
        campaign = selectors.get_campaign(actor=request.user, **form)
        return Response(s.CampaignSerializer(campaign).data)

    @operation(s.CancelCampaignRequestSerializer, shows=s.CampaignSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request, pk):
        form = parse(s.CancelCampaignRequestSerializer, body(request, id=pk))
        campaign = services.cancel_campaign(actor=request.user, **form)
        return Response(s.CampaignSerializer(campaign).data)

    @operation(s.CompareCampaignsRequestSerializer, shows=s.CampaignComparisonSerializer, needs_log_in=True)
    @action(detail=True)
    def comparison(self, request, pk):
        form = parse(s.CompareCampaignsRequestSerializer, query(request, id=pk))
        compared = comparing.compare_campaigns(actor=request.user, **form)
        return Response(s.CampaignComparisonSerializer(compared).data)

    @operation(s.ExportCampaignRequestSerializer, files=FILES, needs_log_in=True)
    @action(detail=True)
    def export(self, request, pk):
        form = parse(s.ExportCampaignRequestSerializer, query(request, id=pk))
        export = exports.get_export(actor=request.user, **form)
        answer = StreamingHttpResponse(export.content, content_type=export.media_type)
        answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=export.name)
        return answer


class CampaignRowViewSet(ApiViewSet):
    """/campaigns/{campaign_id}/items and /results"""

    @operation(s.ListCampaignItemsRequestSerializer, page_of=s.CampaignItemSerializer, needs_log_in=True)
    def items(self, request, campaign_id):
        form = parse(s.ListCampaignItemsRequestSerializer, query(request, campaign_id=campaign_id))
        filters, page = split_page(form)
        rows = selectors.list_items(actor=request.user, **filters)
        return Response(shown_page(s.CampaignItemSerializer, rows, page))

    @operation(s.ListCampaignResultsRequestSerializer, page_of=s.CampaignResultSerializer, needs_log_in=True)
    def results(self, request, campaign_id):
        form = parse(s.ListCampaignResultsRequestSerializer, query(request, campaign_id=campaign_id))
        filters, page = split_page(form)
        rows = selectors.list_results(actor=request.user, **filters)
        return Response(shown_page(s.CampaignResultSerializer, rows, page))
