from rest_framework.response import Response

from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet
from submissions.endpoints import deployments, selectors, services

from . import serializers as s


class EndpointViewSet(ApiViewSet):
    @operation(s.ListEndpointsRequestSerializer, page_of=s.EndpointSerializer, needs_log_in=True)
    def list(self, request):
        filters, page = split_page(parse(s.ListEndpointsRequestSerializer, query(request)))
        rows = selectors.list_endpoints(actor=request.user, **filters)
        return Response(shown_page(s.EndpointSerializer, rows, page))

    @operation(s.RegisterEndpointRequestSerializer, creates=s.EndpointSerializer)
    def create(self, request):
        form = parse(s.RegisterEndpointRequestSerializer, body(request))
        endpoint = services.register_endpoint(actor=request.user, **form)
        return Response(s.EndpointSerializer(endpoint).data, 201)

    @operation(s.GetEndpointRequestSerializer, shows=s.EndpointSerializer, needs_log_in=True)
    def retrieve(self, request, pk):
        form = parse(s.GetEndpointRequestSerializer, {"id": pk})
        return Response(s.EndpointSerializer(selectors.get_endpoint(actor=request.user, **form)).data)

    @operation(s.UpdateEndpointRequestSerializer, shows=s.EndpointSerializer)
    def partial_update(self, request, pk):
        form = parse(s.UpdateEndpointRequestSerializer, body(request, id=pk))
        return Response(s.EndpointSerializer(services.update_endpoint(actor=request.user, **form)).data)


class DiscoveryViewSet(ApiViewSet):
    own_transaction = True  # the endpoint is asked between two

    @operation(s.DiscoverModelsRequestSerializer, shows=s.EndpointSerializer)
    def discover(self, request, pk):
        form = parse(s.DiscoverModelsRequestSerializer, body(request, id=pk))
        return Response(s.EndpointSerializer(services.discover_models(actor=request.user, **form)).data)


class DeploymentViewSet(ApiViewSet):
    @operation(s.ListDeploymentsRequestSerializer, page_of=s.DeploymentSerializer, needs_log_in=True)
    def list(self, request, **path):
        filters, page = split_page(parse(s.ListDeploymentsRequestSerializer, query(request, **path)))
        rows = selectors.list_deployments(actor=request.user, **filters)
        return Response(shown_page(s.DeploymentSerializer, rows, page))

    @operation(s.GetDeploymentRequestSerializer, shows=s.DeploymentSerializer, needs_log_in=True)
    def retrieve(self, request, pk):
        form = parse(s.GetDeploymentRequestSerializer, {"id": pk})
        return Response(s.DeploymentSerializer(selectors.get_deployment(actor=request.user, **form)).data)

    @operation(s.UpdateDeploymentRequestSerializer, shows=s.DeploymentSerializer)
    def partial_update(self, request, pk):
        form = parse(s.UpdateDeploymentRequestSerializer, body(request, id=pk))
        deployment = deployments.update_deployment(actor=request.user, **form)
        return Response(s.DeploymentSerializer(deployment).data)


class DeploymentHistoryViewSet(ApiViewSet):
    """/deployments/{deployment_id}/history"""

    @operation(
        s.ListDeploymentStatusChangesRequestSerializer,
        page_of=s.DeploymentStatusChangeSerializer,
        needs_log_in=True,
    )
    def list(self, request, deployment_id):
        asked = query(request, deployment_id=deployment_id)
        filters, page = split_page(parse(s.ListDeploymentStatusChangesRequestSerializer, asked))
        rows = selectors.list_status_changes(actor=request.user, **filters)
        return Response(shown_page(s.DeploymentStatusChangeSerializer, rows, page))


class PriceViewSet(ApiViewSet):
    """/deployments/{deployment_id}/prices"""

    @operation(s.ListPricesRequestSerializer, page_of=s.PriceSerializer, needs_log_in=True)
    def list(self, request, deployment_id):
        asked = query(request, deployment_id=deployment_id)
        filters, page = split_page(parse(s.ListPricesRequestSerializer, asked))
        rows = selectors.list_prices(actor=request.user, **filters)
        return Response(shown_page(s.PriceSerializer, rows, page))

    @operation(s.SetPriceRequestSerializer, creates=s.PriceSerializer)
    def create(self, request, deployment_id):
        form = parse(s.SetPriceRequestSerializer, body(request, deployment_id=deployment_id))
        price = deployments.set_price(actor=request.user, **form)
        return Response(s.PriceSerializer(price).data, 201)


class ModelViewSet(ApiViewSet):
    @operation(s.ListModelsRequestSerializer, page_of=s.LanguageModelSerializer)
    def list(self, request):
        filters, page = split_page(parse(s.ListModelsRequestSerializer, query(request)))
        rows = selectors.list_models(actor=request.user, **filters)
        return Response(shown_page(s.LanguageModelSerializer, rows, page))

    @operation(s.GetModelRequestSerializer, shows=s.LanguageModelSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetModelRequestSerializer, {"id": pk})
        return Response(s.LanguageModelSerializer(selectors.get_model(actor=request.user, **form)).data)
