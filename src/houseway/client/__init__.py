"""A typed client of a floor's API, what a table does when it does not hear the floor any more, and bots that play."""

from __future__ import annotations

from houseway.api.floor import FloorDoc, LinkDoc, ManagerDoc, TableDoc
from houseway.api.orders import Carried
from houseway.api.session import Present, SessionDoc
from houseway.api.stream import Beat, Bye, Meters, Stalled, Step
from houseway.client.asking import Answered, Card
from houseway.client.async_client import AsyncClient
from houseway.client.link import Heard, TableLink
from houseway.client.problems import Failed, Refused, Unreachable
from houseway.client.retry import Patience
from houseway.client.stream import Gap, Lost, StreamEvent, View
from houseway.client.sync_client import Client

__all__ = [
    "Answered",
    "AsyncClient",
    "Beat",
    "Bye",
    "Card",
    "Carried",
    "Client",
    "Failed",
    "FloorDoc",
    "Gap",
    "Heard",
    "LinkDoc",
    "Lost",
    "ManagerDoc",
    "Meters",
    "Patience",
    "Present",
    "Refused",
    "SessionDoc",
    "Stalled",
    "Step",
    "StreamEvent",
    "TableDoc",
    "TableLink",
    "Unreachable",
    "View",
]
