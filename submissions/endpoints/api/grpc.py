from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.interceptors import own_transaction
from exchange.api.pb import endpoints_pb2 as pb
from exchange.api.pb import endpoints_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page
from submissions.endpoints import deployments, selectors, services

from . import serializers as s


class EndpointService(pb_grpc.EndpointServiceServicer):
    def ListEndpoints(self, request, context):
        filters, page = split_page(parse(s.ListEndpointsRequestSerializer, to_data(request)))
        rows = selectors.list_endpoints(actor=actor_of(context), **filters)
        return to_message(pb.ListEndpointsResponse, shown_page(s.EndpointSerializer, rows, page))

    def RegisterEndpoint(self, request, context):
        form = parse(s.RegisterEndpointRequestSerializer, to_data(request))
        endpoint = services.register_endpoint(actor=actor_of(context), **form)
        return to_message(pb.Endpoint, s.EndpointSerializer(endpoint).data)

    def GetEndpoint(self, request, context):
        form = parse(s.GetEndpointRequestSerializer, to_data(request))
        endpoint = selectors.get_endpoint(actor=actor_of(context), **form)
        return to_message(pb.Endpoint, s.EndpointSerializer(endpoint).data)

    def UpdateEndpoint(self, request, context):
        form = parse(s.UpdateEndpointRequestSerializer, to_data(request))
        endpoint = services.update_endpoint(actor=actor_of(context), **form)
        return to_message(pb.Endpoint, s.EndpointSerializer(endpoint).data)

    @own_transaction  # the endpoint is asked between two
    def DiscoverModels(self, request, context):
        form = parse(s.DiscoverModelsRequestSerializer, to_data(request))
        endpoint = services.discover_models(actor=actor_of(context), **form)
        return to_message(pb.Endpoint, s.EndpointSerializer(endpoint).data)

    def ListDeployments(self, request, context):
        filters, page = split_page(parse(s.ListDeploymentsRequestSerializer, to_data(request)))
        rows = selectors.list_deployments(actor=actor_of(context), **filters)
        return to_message(pb.ListDeploymentsResponse, shown_page(s.DeploymentSerializer, rows, page))

    def GetDeployment(self, request, context):
        form = parse(s.GetDeploymentRequestSerializer, to_data(request))
        deployment = selectors.get_deployment(actor=actor_of(context), **form)
        return to_message(pb.Deployment, s.DeploymentSerializer(deployment).data)

    def UpdateDeployment(self, request, context):
        form = parse(s.UpdateDeploymentRequestSerializer, to_data(request))
        deployment = deployments.update_deployment(actor=actor_of(context), **form)
        return to_message(pb.Deployment, s.DeploymentSerializer(deployment).data)

    def ListDeploymentStatusChanges(self, request, context):
        form = parse(s.ListDeploymentStatusChangesRequestSerializer, to_data(request))
        filters, page = split_page(form)
        rows = selectors.list_status_changes(actor=actor_of(context), **filters)
        shown = shown_page(s.DeploymentStatusChangeSerializer, rows, page)
        return to_message(pb.ListDeploymentStatusChangesResponse, shown)

    def ListPrices(self, request, context):
        filters, page = split_page(parse(s.ListPricesRequestSerializer, to_data(request)))
        rows = selectors.list_prices(actor=actor_of(context), **filters)
        return to_message(pb.ListPricesResponse, shown_page(s.PriceSerializer, rows, page))

    def SetPrice(self, request, context):
        form = parse(s.SetPriceRequestSerializer, to_data(request))
        price = deployments.set_price(actor=actor_of(context), **form)
        return to_message(pb.Price, s.PriceSerializer(price).data)

    def ListModels(self, request, context):
        filters, page = split_page(parse(s.ListModelsRequestSerializer, to_data(request)))
        rows = selectors.list_models(actor=actor_of(context), **filters)
        return to_message(pb.ListModelsResponse, shown_page(s.LanguageModelSerializer, rows, page))

    def GetModel(self, request, context):
        form = parse(s.GetModelRequestSerializer, to_data(request))
        model = selectors.get_model(actor=actor_of(context), **form)
        return to_message(pb.LanguageModel, s.LanguageModelSerializer(model).data)
