"""Every tool there is. Another one is a function in one of these modules and its name here."""

from .benchmarks import search_benchmarks
from .boards import compare_models, get_leaderboard
from .campaigns import (
    benchmark_retest_unstable,
    benchmark_run_cancel,
    benchmark_run_progress,
    benchmark_run_results,
    benchmark_run_start,
    benchmark_run_status,
    benchmark_test_new_models,
)
from .models import benchmark_model_get, benchmark_model_history, benchmark_model_list
from .proposals import list_proposals
from .providers import benchmark_provider_discover, benchmark_provider_get, benchmark_provider_list
from .submissions import submission_status

TOOLS = (
    search_benchmarks,
    get_leaderboard,
    compare_models,
    submission_status,
    list_proposals,
    benchmark_model_list,
    benchmark_model_get,
    benchmark_model_history,
    benchmark_provider_list,
    benchmark_provider_get,
    benchmark_provider_discover,
    benchmark_run_start,
    benchmark_run_status,
    benchmark_run_progress,
    benchmark_run_results,
    benchmark_run_cancel,
    benchmark_retest_unstable,
    benchmark_test_new_models,
)
