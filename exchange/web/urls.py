from django.urls import path

from . import views

urlpatterns = [path("theme", views.set_theme, name="theme")]
