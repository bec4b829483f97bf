from django.urls import path

from . import editor, lifecycle, views

urlpatterns = [
    path("benchmarks", views.benchmarks, name="benchmarks"),
    path("benchmarks/new", editor.new_benchmark, name="new-benchmark"),
    path("benchmarks/<slug:slug>/edit", editor.edit_benchmark, name="edit-benchmark"),
    path("benchmarks/<slug:slug>/versions/new", editor.new_version, name="new-version"),
    path("benchmarks/<slug:slug>/versions/<str:number>", editor.edit_version, name="edit-version"),
    path(
        "benchmarks/<slug:slug>/versions/<str:number>/publish",
        editor.publish_version,
        name="publish-version",
    ),
    path("benchmarks/<uuid:benchmark_id>/moves/<slug:name>", lifecycle.move, name="move-benchmark"),
    path("review", lifecycle.review_queue, name="review-queue"),
]
