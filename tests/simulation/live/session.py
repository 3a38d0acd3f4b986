"""A client of `/live` written from the protocol alone, without I/O: what it holds, what it says, what it makes of it.

Nothing is predicted: the diagram is as the server told it, and only typing is seen at once. A write is kept until it
is answered, and said again in the same words after each reconnect; what is refused goes to the tray. Promises of the
server that turn out not to be kept are written down in `faults`. Not here: sockets and time (`client`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from draftsmith.transform.steps.changeset import ChangeSet
from tests.simulation.live.client_replica import ClientReplica
from tests.simulation.live.pending_text import PendingText, inserted_by
from tests.simulation.live.writes import GONE_FOR_GOOD, Message, TrayItem, Write, question_about, unknown_of


class Session:
    """One page's side of the conversation.

    Attributes:
        outbox: what is to be sent over the present connection.
        pending: writes without an answer, oldest first.
        outcomes: the last answer to each write.
        again: ids that are to be said again after a while.
        version: of the protocol that it speaks; one in four speaks the older one.
        commits: the newest commits, `(rev, kind, id of who)`.
    """

    def __init__(self, new_id: Any) -> None:
        self._new_id = new_id
        self.version = 2
        self._templates: list[Message] = []
        self.replica = ClientReplica()
        self.pending_text = PendingText()
        self.outbox: list[Message] = []
        self.pending: dict[str, Write] = {}
        self.outcomes: dict[str, Message] = {}
        self.again: list[str] = []
        self.tray: list[TrayItem] = []
        self.commits: list[tuple[int, str, str]] = []
        self.is_live = False
        self.member = ""
        self.members: list[Message] = []
        self.states: Counter[str] = Counter()
        self.farewell: Message | None = None
        self._announced: Message | None = None
        self._due: Counter[str] = Counter()
        self._question: Message | None = None  # whether the server knows what it was sent before

    @property
    def faults(self) -> list[str]:
        return self.replica.faults

    @property
    def text(self) -> str:
        """The text as this client's user sees it."""
        return self.pending_text.seen(self.replica.text)

    @property
    def is_settled(self) -> bool:
        """Whether everything of this client's has been answered."""
        return self.is_live and not self.pending and self.pending_text.waiting is None

    # -- what the user does ------------------------------------------------------------------------------------------

    def write(self, kind: str, **fields: Any) -> str:
        """Ask for something; its id."""
        message = {"t": kind, "id": self._new_id(), **fields}
        self._keep(message)
        return str(message["id"])

    def type(self, changes: ChangeSet) -> None:
        """Change the text that the user sees."""
        self.pending_text.type(changes)
        self._push()

    def _keep(self, message: Message) -> None:
        write = self.pending[message["id"]] = Write(message)
        if self.is_live and self._question is None:
            self._say(write)

    def _say(self, write: Write) -> None:
        if not write.sent_before and not write.sent:
            write.sent_at = self.replica.rev
        write.sent = True
        self._due[write.message["id"]] += 1
        self.outbox.append(write.message)

    def _push(self) -> None:
        place = self.replica.place
        if not self.is_live or place is None:
            return
        made = self.pending_text.push(
            {"t": "type", "id": self._new_id(), "epoch": place.epoch, "base": place.rev, "h": place.h}
        )
        if made is not None:
            self._keep(made.message)

    def say_again(self) -> None:
        """Send again what was put off."""
        for one in self.again:
            if one in self.pending and self.is_live:
                self._say(self.pending[one])
        self.again.clear()

    # -- the connection ----------------------------------------------------------------------------------------------

    def hello(self) -> Message:
        """The first message of a new connection."""
        self.farewell = None
        # What is announced for this may cross with the answer to its being said again.
        self._due = Counter(list(self.pending))
        place = self.replica.place
        resume = place.to_json() if place is not None else None
        self._templates.clear()
        return {
            "t": "hello",
            "v": self.version,
            "resume": resume,
            "pending": [key for key, one in self.pending.items()],
        }

    def disconnected(self) -> None:
        """The connection is gone; what was sent over it may have been carried out or not."""
        self.is_live = False
        self.outbox.clear()
        self.again.clear()
        self._due.clear()
        self._announced = self._question = None
        for write in self.pending.values():
            write.sent_before |= write.sent
            write.sent = False

    def reloaded(self) -> None:
        """The page was loaded anew: only what had not been answered is still known."""
        self.disconnected()
        self.replica.place = None
        self._detach()

    def receive(self, frame: Sequence[Message | list[Any]]) -> None:
        """Take one frame in."""
        welcomed = False
        for message in map(self._spelled_out, frame):
            self._check_order(message)
            welcomed |= message["t"] == "welcome"
            handle = getattr(self, f"_on_{message['t']}", None)
            if handle is not None:
                handle(message)
        if self._announced is not None:
            self.faults.append(f"no commit behind {self._announced}")
            self._announced = None
        if welcomed:
            self.is_live = True
            if self._question is None:
                self._say_all()
        self._push()

    def _spelled_out(self, message: Message | list[Any]) -> Message:
        """A typed commit as the commit that it stands for."""
        if isinstance(message, dict):
            return message
        rev, h, at_ms, template, changes, deleted = message
        steps = [{"k": "text", "c": changes, "d": deleted}]
        return {**self._templates[template], "rev": rev, "h": h, "at_ms": at_ms, "steps": steps}

    def _on_templates(self, message: Message) -> None:
        self._templates[message["start"] :] = message["templates"]

    def _say_all(self) -> None:
        for write in self.pending.values():
            self._say(write)

    def _check_order(self, message: Message) -> None:
        """What is announced comes at once."""
        told = self._announced
        if told is not None and (message["t"], message.get("rev")) != ("commit", told["rev"]):
            self.faults.append(f"{message['t']} {message.get('rev')} between {told} and its commit")
            self._announced = None

    # -- what the server says ----------------------------------------------------------------------------------------

    def _on_welcome(self, message: Message) -> None:
        self.member = message["member"]
        if not message["resumed"]:
            self.states["not resumed"] += 1

    def _on_state(self, message: Message) -> None:
        self.states[message["why"]] += 1
        self.replica.take_state(message)
        self._detach()
        self._land_void()
        if message["why"] in ("trimmed", "diverged"):
            self._give_up_unknown()
        elif message["why"] == "fresh" and unknown_of(self.pending):
            self._question = question_about(self.pending, message["epoch"], self._new_id())
            self.outbox.append(self._question)

    def _detach(self) -> None:
        waiting = self.pending_text.detach()
        if waiting is not None and not waiting.is_empty:
            texts = tuple(inserted_by(waiting))
            self.tray.append(TrayItem("", "detached", {"t": "type", "changes": waiting.to_json()}, texts))

    def _give_up_unknown(self) -> None:
        for key in unknown_of(self.pending):
            self.tray.append(TrayItem(key, GONE_FOR_GOOD, self.pending.pop(key).message))

    def _is_about_question(self, message: Message) -> bool:
        """Take the answer to the question, if this is it; what waited for it is said now."""
        question = self._question
        if question is None or message["id"] != question["id"]:
            return False
        if message.get("retry"):
            self.outbox.append(question)
            return True
        self._question = None
        if message.get("code") == "base_gone":
            self._give_up_unknown()
        self._say_all()
        return True

    def _on_commit(self, message: Message) -> None:
        own, self._announced = self._announced, None
        before = self.replica.text
        step = self.replica.take_commit(message)
        self.commits = [*self.commits[-49:], (message["rev"], message["kind"], message["by"]["id"])]
        flying = self.pending_text.flying
        if own is not None and flying is not None and own["id"] == flying.message["id"]:
            self.pending_text.land()
            if flying.now is not None:
                if flying.now.apply(before) != self.replica.text:
                    self.faults.append(f"the push came as {step}, and not as {flying.now}")
                return
        if step is not None:
            self.pending_text.take(step.changes)
        self._land_void()

    def _on_committed(self, message: Message) -> None:
        if self._is_about_question(message):
            return
        key = message["id"]
        self._count_answer(message)
        self.outcomes[key] = message
        self.pending.pop(key, None)
        if message["changed"] and message["rev"] > self.replica.rev:
            self._announced = message
            return
        flying = self.pending_text.flying
        if flying is not None and flying.message["id"] == key:
            flying.void_at = message["rev"]
            self._land_void()

    def _land_void(self) -> None:
        """Let go of a push that came to nothing, once everything has been told that made it so."""
        flying = self.pending_text.flying
        if flying is None or flying.void_at is None or flying.void_at > self.replica.rev:
            return
        self.pending_text.land()
        if flying.now is not None and not flying.now.is_empty:
            self.faults.append(f"a push came to nothing at {flying.void_at}, where it is {flying.now}")

    def _on_rejected(self, message: Message) -> None:
        if self._is_about_question(message):
            return
        key = message["id"]
        self._count_answer(message)
        if message["retry"]:
            self.again.append(key)
            return
        self.outcomes[key] = message
        write = self.pending.pop(key, None)
        flying = self.pending_text.flying
        if flying is not None and flying.message["id"] == key:
            self.tray.append(TrayItem(key, message["code"], flying.message, tuple(inserted_by(flying.made))))
            self.pending_text.land()
            if flying.now is not None:  # what was typed over it has lost its ground
                self._detach()
        elif write is not None:
            self.tray.append(TrayItem(key, message["code"], write.message))

    def _count_answer(self, message: Message) -> None:
        """One answer to each time a write was named on this connection."""
        key = message["id"]
        self._due[key] -= 1
        if self._due[key] < 0 and key not in self.pending:
            self.faults.append(f"answered once too often: {message}")

    def _on_roster(self, message: Message) -> None:
        self.members = message["members"]

    def _on_bye(self, message: Message) -> None:
        self.farewell = message
