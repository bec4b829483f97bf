from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import campaigns_pb2 as pb
from exchange.api.pb import campaigns_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page
from exchange.api.sizes import LARGEST_BUNDLE, check_message_size
from submissions.campaigns import comparing, exports, selectors, services

from . import serializers as s


class CampaignService(pb_grpc.CampaignServiceServicer):
    def StartCampaign(self, request, context):
        form = parse(s.StartCampaignRequestSerializer, to_data(request))
        campaign = services.start_campaign(actor=actor_of(context), via=s.CampaignVia.GRPC, **form)
        return to_message(pb.Campaign, s.CampaignSerializer(campaign).data)

    def ListCampaigns(self, request, context):
        filters, page = split_page(parse(s.ListCampaignsRequestSerializer, to_data(request)))
        rows = selectors.list_campaigns(actor=actor_of(context), **filters)
        return to_message(pb.ListCampaignsResponse, shown_page(s.CampaignSerializer, rows, page))

    def GetCampaign(self, request, context):
        form = parse(s.GetCampaignRequestSerializer, to_data(request))
        campaign = selectors.get_campaign(actor=actor_of(context), **form)
        return to_message(pb.Campaign, s.CampaignSerializer(campaign).data)

    def CancelCampaign(self, request, context):
        form = parse(s.CancelCampaignRequestSerializer, to_data(request))
        campaign = services.cancel_campaign(actor=actor_of(context), **form)
        return to_message(pb.Campaign, s.CampaignSerializer(campaign).data)

    def ListCampaignItems(self, request, context):
        filters, page = split_page(parse(s.ListCampaignItemsRequestSerializer, to_data(request)))
        rows = selectors.list_items(actor=actor_of(context), **filters)
        return to_message(pb.ListCampaignItemsResponse, shown_page(s.CampaignItemSerializer, rows, page))

    def ListCampaignResults(self, request, context):
        filters, page = split_page(parse(s.ListCampaignResultsRequestSerializer, to_data(request)))
        rows = selectors.list_results(actor=actor_of(context), **filters)
        return to_message(pb.ListCampaignResultsResponse, shown_page(s.CampaignResultSerializer, rows, page))

    def CompareCampaigns(self, request, context):
        form = parse(s.CompareCampaignsRequestSerializer, to_data(request))
        compared = comparing.compare_campaigns(actor=actor_of(context), **form)
        return to_message(pb.CampaignComparison, s.CampaignComparisonSerializer(compared).data)

    def ExportCampaign(self, request, context):
        form = parse(s.ExportCampaignRequestSerializer, to_data(request))
        export = exports.get_export(actor=actor_of(context), **form)
        rest = f"/api/v1/campaigns/{request.id}/export?format={form['format']}"
        content = bytearray()
        for piece in export.content:
            content += piece
            check_message_size(len(content), LARGEST_BUNDLE, rest)
        return pb.CampaignExport(
            campaign_id=request.id, name=export.name, media_type=export.media_type, content=bytes(content)
        )
