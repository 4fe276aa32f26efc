"""A line to the service that a test can cut, stall, silence and slow, as networks do it to phones."""

import asyncio
import contextlib
import socket
import threading


class Line:
    """Carries connections to a port, in a thread of its own."""

    def __init__(self, port, target):
        self.port, self.target = port, target
        self.is_open, self.pace, self.wait = True, None, 0
        self.connections = set()
        self.loop = asyncio.new_event_loop()
        self.passing = asyncio.Event()
        self.passing.set()
        listener = socket.create_server(("127.0.0.1", port), backlog=256)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.server = self._do(asyncio.start_server(self._carry, sock=listener))

    def cut(self):
        """Ends all connections and takes no new ones: a tunnel."""
        self.is_open = False
        self._do(self._end_all())

    def stall(self):
        """Takes connections and passes nothing, on old and on new ones: a network that is too full, or a lying one."""
        self._do(self._set(self.passing.clear))

    def silence(self):
        """The connections that are open stay so and pass nothing any more; new ones work: a router that forgot them."""
        for connection in list(self.connections):
            connection.is_silent = True

    def slow(self, bytes_per_second, wait=0):
        """Passes so many bytes a second on each connection, each piece after a wait in seconds."""
        self.pace, self.wait = bytes_per_second, wait

    def restore(self):
        """Works as at the beginning. What has stalled goes on; what was silenced stays silent."""
        self.is_open, self.pace, self.wait = True, None, 0
        self._do(self._set(self.passing.set))

    def close(self):
        self.cut()
        self._do(self._set(self.server.close))
        self.loop.call_soon_threadsafe(self.loop.stop)

    def _do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def _set(self, act):
        act()

    async def _end_all(self):
        for connection in list(self.connections):
            connection.break_off()

    async def _carry(self, reader, writer):
        connection = Connection(writer)
        if not self.is_open:
            return connection.break_off()
        self.connections.add(connection)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            connection.writers.append(far_writer)
            await asyncio.gather(self._copy(reader, far_writer, connection), self._copy(far_reader, writer, connection))
        except OSError:
            pass
        finally:
            connection.end()
            self.connections.discard(connection)

    async def _copy(self, reader, writer, connection):
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                await self.passing.wait()
                if connection.is_silent:
                    continue
                await asyncio.sleep(self.wait + (len(piece) / self.pace if self.pace else 0))
                writer.write(piece)
                await writer.drain()
        # Whoever is behind a dead line does not learn of an end.
        await self.passing.wait()
        if not connection.is_silent:
            connection.end()


class Connection:
    """The two halves of a connection."""

    def __init__(self, writer):
        self.writers, self.is_silent = [writer], False

    def end(self):
        """Ends both halves when all that was written has gone out."""
        for writer in self.writers:
            writer.close()

    def break_off(self):
        for writer in self.writers:
            writer.transport.abort()
