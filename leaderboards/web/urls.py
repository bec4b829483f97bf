from django.urls import path

from . import comparisons, views

urlpatterns = [
    path("", views.home, name="home"),
    path("benchmarks/<slug:slug>", views.benchmark, name="benchmark"),
    path("categories", comparisons.categories, name="categories"),
    path("categories/<slug:category>", comparisons.category, name="category"),
    path("compare", comparisons.compare, name="compare"),
    path("models", views.models, name="models"),
    path("models/<uuid:model_id>", views.model, name="model"),
]
