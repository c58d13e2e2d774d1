"""Small programs of several topics against TensorFlow 1.15.5: ``golden/TOPIC.json.gz``."""

import pytest
from golden import ctc_cases, distribution_cases, edge_cases, further_cases, operator_cases, ragged_cases, seldom_cases
from recorded_cases import check, golden

TOPICS = {
    "ctc": ctc_cases,
    "distribution": distribution_cases,
    "edge": edge_cases,
    "further": further_cases,
    "operator": operator_cases,
    "ragged": ragged_cases,
    "seldom": seldom_cases,
}
GOLDEN = {topic: golden(topic) for topic in TOPICS}


@pytest.mark.parametrize(("topic", "name"), [(topic, name) for topic, cases in TOPICS.items() for name in cases.CASES])
def test_as_recorded(topic, name):
    check(TOPICS[topic], name, GOLDEN[topic][name])
