from django.urls import path

from . import views

urlpatterns = [
    path("", views.home, name="home"),
    path("benchmarks/<slug:slug>", views.benchmark, name="benchmark"),
    path("models", views.models, name="models"),
    path("models/<uuid:model_id>", views.model, name="model"),
]
