"""The names of ``tensorflow.python.client.session``."""

from retrograd.faces import missing
from retrograd.run.conversions import register_session_run_conversion_functions
from retrograd.run.devices import DeviceAttributes as _DeviceAttributes
from retrograd.run.fetches import FetchHandler as _FetchHandler
from retrograd.run.session import BaseSession, InteractiveSession, Session

__getattr__ = missing(__name__)
