"""The names of ``tensorflow.contrib.stat_summarizer``."""

from retrograd.faces import missing

_LAZY = {
    "DeleteStatSummarizer": "retrograd.sessions.step_summaries",
    "NewStatSummarizer": "retrograd.sessions.step_summaries",
    "StatSummarizer": "retrograd.sessions.step_summaries",
}
__getattr__ = missing(__name__, _LAZY)
