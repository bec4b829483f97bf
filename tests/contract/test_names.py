"""What things are called stands in lists and beside other names: on one line, read in one direction."""

import pytest
from rest_framework.serializers import ValidationError

from .doors import serializers

NAMED = {
    "CreateBenchmarkRequest": "name",
    "UpdateBenchmarkRequest": "name",
    "BenchmarkChanges": "name",
    "Metric": "title",
    "CreateProposalRequest": "title",
    "UpdateProposalRequest": "title",
    "RegisterEndpointRequest": "provider_name",
    "UpdateEndpointRequest": "name",
    "ModelReference": "publisher",
    "CreateApiTokenRequest": "name",
}


@pytest.mark.parametrize("text", ["a\u202eb", "a\u2066b", "a\nb", "a\u2028b", "a\x07b"])
@pytest.mark.parametrize("form", NAMED)
def test_a_name_that_turns_text_around_or_breaks_the_line_is_refused(form, text):
    field = serializers()[f"{form}Serializer"]().fields[NAMED[form]]

    with pytest.raises(ValidationError) as refused:
        field.run_validation(text)

    assert refused.value.get_codes() == ["not_one_line"]


@pytest.mark.parametrize("text", ["Größe ②", "数学 👩‍🔬", "שלום", "x"])
@pytest.mark.parametrize("form", NAMED)
def test_a_name_in_any_script_is_taken(form, text):
    field = serializers()[f"{form}Serializer"]().fields[NAMED[form]]

    assert field.run_validation(text) == text
