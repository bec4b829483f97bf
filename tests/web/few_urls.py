"""A site with one room."""

from django.urls import path

from tests.web.urls import nothing

urlpatterns = [path("models", nothing, name="models")]
