from django.contrib import auth
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.accounts import selectors, services
from exchange.api.addresses import address_of
from exchange.api.forms import body, parse, query, split_page
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet

from . import serializers as s
from .shown import shown_new_token, shown_session


class AuthViewSet(ApiViewSet):
    own_transaction = True  # a failed log-in must stay counted

    @extend_schema(request=s.RegisterRequestSerializer, responses={201: s.SessionSerializer})
    @action(detail=False, methods=["post"])
    def register(self, request):
        form = parse(s.RegisterRequestSerializer, body(request))
        user = services.register(**form)
        return Response(shown_session(user, *services.open_session(user=user)), 201)

    @extend_schema(request=s.LoginRequestSerializer, responses=s.SessionSerializer)
    @action(detail=False, methods=["post"])
    def login(self, request):
        form = parse(s.LoginRequestSerializer, body(request))
        user = services.authenticate(**form, address=address_of(request))
        return Response(shown_session(user, *services.open_session(user=user)))

    @extend_schema(request=None, responses={204: None})
    @action(detail=False, methods=["post"])
    def logout(self, request):
        parse(s.LogoutRequestSerializer, body(request))
        secret = request.headers.get("Authorization", "").partition(" ")[2].strip()
        services.log_out(actor=request.user, secret=secret)
        if not secret:
            auth.logout(request._request)  # noqa: SLF001  the browser's session is Django's, not DRF's
        return Response(status=204)


class ProfileViewSet(ApiViewSet):
    @extend_schema(responses=s.UserSerializer)
    def retrieve(self, request):
        return Response(s.UserSerializer(selectors.get_profile(actor=request.user)).data)

    @extend_schema(request=s.UpdateProfileRequestSerializer, responses=s.UserSerializer)
    def update(self, request):
        form = parse(s.UpdateProfileRequestSerializer, body(request))
        return Response(s.UserSerializer(services.update_profile(actor=request.user, **form)).data)


class TokenViewSet(ApiViewSet):
    @extend_schema(parameters=[s.ListApiTokensRequestSerializer], responses=s.ApiTokenSerializer(many=True))
    def list(self, request):
        _filters, page = split_page(parse(s.ListApiTokensRequestSerializer, query(request)))
        rows = selectors.list_api_tokens(actor=request.user)
        return Response(shown_page(s.ApiTokenSerializer, rows, page))

    @extend_schema(request=s.CreateApiTokenRequestSerializer, responses={201: s.NewApiTokenSerializer})
    def create(self, request):
        form = parse(s.CreateApiTokenRequestSerializer, body(request))
        return Response(shown_new_token(*services.create_api_token(actor=request.user, **form)), 201)

    @extend_schema(request=None, responses=s.ApiTokenSerializer)
    @action(detail=True, methods=["post"])
    def revoke(self, request, pk):
        form = parse(s.RevokeApiTokenRequestSerializer, body(request, id=pk))
        return Response(s.ApiTokenSerializer(services.revoke_api_token(actor=request.user, **form)).data)


class OrganizationViewSet(ApiViewSet):
    @extend_schema(
        parameters=[s.ListOrganizationsRequestSerializer], responses=s.OrganizationSerializer(many=True)
    )
    def list(self, request):
        _filters, page = split_page(parse(s.ListOrganizationsRequestSerializer, query(request)))
        rows = selectors.list_organizations(actor=request.user)
        return Response(shown_page(s.OrganizationSerializer, rows, page))

    @extend_schema(request=s.CreateOrganizationRequestSerializer, responses={201: s.OrganizationSerializer})
    def create(self, request):
        form = parse(s.CreateOrganizationRequestSerializer, body(request))
        organization = services.create_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data, 201)

    @extend_schema(responses=s.OrganizationSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetOrganizationRequestSerializer, {"id": pk})
        organization = selectors.get_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data)

    @extend_schema(request=s.UpdateOrganizationRequestSerializer, responses=s.OrganizationSerializer)
    def partial_update(self, request, pk):
        form = parse(s.UpdateOrganizationRequestSerializer, body(request, id=pk))
        organization = services.update_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data)


class MemberViewSet(ApiViewSet):
    """The members of one organization: /organizations/{organization_id}/members."""

    @extend_schema(parameters=[s.ListMembersRequestSerializer], responses=s.MemberSerializer(many=True))
    def list(self, request, organization_id):
        form = parse(s.ListMembersRequestSerializer, query(request, organization_id=organization_id))
        filters, page = split_page(form)
        rows = selectors.list_members(actor=request.user, **filters)
        return Response(shown_page(s.MemberSerializer, rows, page))

    @extend_schema(request=s.AddMemberRequestSerializer, responses={201: s.MemberSerializer})
    def add(self, request, organization_id):
        form = parse(s.AddMemberRequestSerializer, body(request, organization_id=organization_id))
        member = services.add_member(actor=request.user, **form)
        return Response(s.MemberSerializer(member).data, 201)

    @extend_schema(request=s.ChangeMemberRoleRequestSerializer, responses=s.MemberSerializer)
    def change_role(self, request, organization_id, user_id):
        data = body(request, organization_id=organization_id, user_id=user_id)
        form = parse(s.ChangeMemberRoleRequestSerializer, data)
        return Response(s.MemberSerializer(services.change_member_role(actor=request.user, **form)).data)

    @extend_schema(responses={204: None})
    def remove(self, request, organization_id, user_id):
        data = body(request, organization_id=organization_id, user_id=user_id)
        services.remove_member(actor=request.user, **parse(s.RemoveMemberRequestSerializer, data))
        return Response(status=204)
