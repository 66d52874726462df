"""The address of the live streams: one stream a page, with all its subjects."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from houseway.api.route import EVENTS
from houseway.api.stream import STREAM
from houseway.manager.store.base import StoreFault
from houseway.web.hub import Stream, Subject
from houseway.web.limiter import network_of
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, address_of
from houseway.web.site import Site
from houseway.web.who import Principal

log = logging.getLogger("houseway.hub")
RETRY_MILLISECONDS: Final = 1_000
MOST_SUBJECTS: Final = 64


class StreamResponse(Response):
    """Sends what a stream has, until its reader is gone or it is ended."""

    def __init__(self, site: Site, stream: Stream, views: bytes, since: int | None) -> None:
        super().__init__(media_type=EVENTS, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._site = site
        self._stream = stream
        self._views = views
        self._since = since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_gone(receive, self._stream))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._send(send, b"retry: %d\n\n" % RETRY_MILLISECONDS + self._views)
            if self._since is not None:
                missed = await self._site.read(self._stream.network, self._site.hub.missed, self._stream, self._since)
                await self._send(send, b"".join(missed))
            over = False
            while not over:
                body = await self._stream.take()
                # Looked at with what was taken: the last of it says why it is over.
                over = bool(self._stream.ended)
                await self._send(send, body)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (StoreFault, Problem) as fault:
            # The connection is closed without an end: its reader notices, and comes back.
            log.info("a stream of %s was cut off: %s", self._stream.viewer.id, fault)
        finally:
            self._site.hub.leave(self._stream)
            gone.cancel()

    @staticmethod
    async def _send(send: Send, body: bytes) -> None:
        if body:
            await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end("gone")


streams = Handlers()


@streams.answers(STREAM)
async def stream(ask: Ask) -> Response:
    names = ask.query.subject
    if not 0 < len(names) <= MOST_SUBJECTS:
        raise Problem(422, "invalid", f"must be given 1 to {MOST_SUBJECTS} times", "subject")
    subjects = tuple(dict.fromkeys(Subject.read(name) for name in names))
    since = ask.request.headers.get("last-event-id")
    if since is not None and not (since.isascii() and since.isdigit() and len(since) < 19):
        raise Problem(422, "invalid", "must be the number of an entry", "Last-Event-ID")
    if ask.request.method == "HEAD":
        return Response(media_type=EVENTS)
    stream = Stream(ask.who, subjects, _still_good(ask), network_of(address_of(ask.request)))
    number = int(since) if since is not None else None
    if number is not None and number > ask.site.hub.state.seq:
        # Another process told of it, and this one has not heard of it yet.
        state = await ask.site.refresh()
        if number > state.seq:
            log.error("%s has seen entry %d, but the journal ends at %d", ask.who.id, number, state.seq)
            # Anybody can make up a number: whether entries are lost is for the marks to say.
            await ask.site.read(stream.network, ask.site.floor.compare_marks)
            raise Problem(
                409, "refused", f"is beyond entry {state.seq}, the last there is; begin without it", "Last-Event-ID"
            )
    views = ask.site.hub.watch(stream, number)
    return StreamResponse(ask.site, stream, views, number)


def _still_good(ask: Ask) -> Callable[[], bool]:
    """Whether this watcher may still watch: not once signed out, dismissed, revoked or idle for too long."""

    def good() -> bool:
        now: Principal = ask.site.door.known(ask.site.state, ask.request, asks=False)
        return now.kind != "nobody" and now.reader == ask.who.reader

    return good
