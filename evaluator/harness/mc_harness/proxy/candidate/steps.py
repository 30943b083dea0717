"""Iterators and coroutines of the candidate's, which go on in its box a step at a time as the test code asks."""

from json import dumps

from ...decoding import decode
from ...encoding import type_name
from ..wire.channel import encode
from ..wire.coroutines import awaiting, following

# The requests that run coroutines.
RUNNING = frozenset(("go_on", "wait"))


class Steps:
    """Of a server."""

    def iter(self, request):
        target = self.own((request["of"], request["path"]))
        is_indexed = not hasattr(type(target), "__iter__")
        is_future = hasattr(type(target), "_asyncio_future_blocking")
        # A future's iterator is what awaits it.
        if is_future or is_indexed and any(hasattr(type(target), name) for name in request.get("unless", ())):
            raise TypeError("'%s' object is not iterable" % type_name(target))
        begin = type(target).__aiter__ if hasattr(type(target), "__aiter__") else iter
        return self.begun("iterator", begin(target))

    def begun(self, what, running):
        return dumps({what: self.keep(running), "kind": type_name(running)})

    def end(self, request):
        self.kept[request["of"]].close()
        return "{}"

    def next(self, request):
        """Up to `size` of what an iterator still gives. What it raises after some is raised at the next request."""
        of = request["of"]
        if of in self.raised:
            raise self.raised.pop(of)
        values = []
        try:
            while len(values) < request["size"]:
                values.append(self.step(of, request))
        except (StopIteration, StopAsyncIteration) as end:
            returned = encode(list(end.args[:1]), self.keep)
            reply = '%s,"ended":true,"returned":%s}' % (self.crossed(values)[:-1], returned)
            return self.numbered(reply, values)
        except Exception as error:
            if not values:
                raise
            self.raised[of] = error
        return self.numbered(self.crossed(values), values)

    def step(self, of, request):
        """One value, of a generator to which something may be sent, or an exception thrown."""
        iterator = self.kept[of]
        if "sent" in request:
            return iterator.send(decode(request["sent"]))
        if "thrown" in request:
            return iterator.throw(decode(request["thrown"]))
        return next(iterator)

    def anext(self, request):
        return self.begun("awaitable", following(self.kept[request["of"]]))

    def wait(self, request):
        """What an awaitable has come to, if it has ended."""
        task = self.coroutines.ended(request["of"], self.kept[request["of"]])
        if task is None:
            return '{"pending":true}'
        if task.cancelled():
            return '{"cancelled":true}'
        return self.numbered(self.told(task.result(), (), {}), task.result())

    def await_(self, request):
        return self.begun("awaitable", awaiting(self.own((request["of"], request["path"]))))

    def go_on(self, request):
        self.coroutines.go_on(request["seconds"])
        return dumps({"ended": self.coroutines.all_ended()})

    def cancel(self, request):
        return "{}" if self.coroutines.cancel(request["of"]) else '{"ended":true}'
