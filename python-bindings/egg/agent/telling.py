# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a session says while it goes on, which can take hours: a line for each
record that is written, why it ended early, and how to go on with it."""

import contextlib
import json
import pathlib
import threading

from egg.agent.early import in_options
from egg.agent.trajectory import Story, is_finished, stop_reason
from egg.errors import EggError

# Of a mailbox, unless an option says: lib/Session/AgentConfig.cpp.
MAILBOX_SECONDS = 86400
_POLL_S = 1


@contextlib.contextmanager
def told(pairs, say):
    """Within it the session of these pass options is followed; say(line) is
    called from a thread of its own. Without a session nothing happens."""
    given = dict(pairs)
    if not given:
        yield
        return
    session, replays = given["session"], given["session-mode"] == "replay"
    if given.get("mailbox") and not replays:
        wait = given.get("answer-seconds", MAILBOX_SECONDS)
        say(f"requests wait in {given['mailbox']}, each for {wait:g} s: write "
            "the answer to NNNN-*.request.md as NNNN-*.answer.txt beside it")
    if given["session-mode"] == "resume" and is_finished(session):
        say(f"the session in {session} is finished; its result is given again")
    follower = Follower(session / "trajectory.jsonl", say)
    try:
        # A replay compares with its records, and writes none.
        with contextlib.nullcontext() if replays else follower:
            yield
    except (EggError, KeyboardInterrupt, SystemExit):
        if not replays and follower.path.exists():
            say(f"the session so far is in {session}; the same command with "
                "--resume goes on with it")
        raise
    if reason := stop_reason(session):
        say(f"the session ended early: {in_options(reason)}"
            + ("" if replays else "; --resume goes on with it"))


class Follower:
    """Tells the records that are written within it."""

    def __init__(self, path, say):
        self.path, self.say = pathlib.Path(path), say
        self.story = Story()
        self.known = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.follow, daemon=True)

    def __enter__(self):
        # Those of a session that is resumed were told already.
        for line in self.new_lines():
            self.tell(line)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def follow(self):
        while True:
            last = self.ended.wait(_POLL_S)
            for line in self.new_lines():
                if text := self.tell(line):
                    self.say(text)
            if last:
                return

    def new_lines(self):
        """The whole lines since the last call. A torn one that was there is
        taken away when a session is resumed: only whole ones are counted."""
        try:
            whole = self.path.read_bytes().split(b"\n")[:-1]
        except OSError:
            return []
        new, self.known = whole[self.known:], len(whole)
        return new

    def tell(self, line):
        """The record's first line in the story, or nothing: a session does not
        end by a record that cannot be told."""
        before = len(self.story.lines)
        try:
            record = json.loads(line)
            getattr(self.story, "tell_" + record["type"])(record)
        except (ValueError, KeyError, TypeError, AttributeError):
            return ""
        return next((text.strip() for text in self.story.lines[before:]
                     if text), "")
