"""The Lua scripts, read once from package data.

A script that needs shared functions is preceded by the files that have them (`lua/prelude.lua`, `lua/answers.lua`,
`lua/run_prelude.lua`), since the store's script engine has no includes. The comment at the top of each script says what
it does.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files

_FOLDER = files("draftsmith.adapters.redis") / "lua"


@dataclass(frozen=True, slots=True)
class Script:
    """A script's source and the name the store knows it by, its SHA-1."""

    source: str
    sha: str


def _load(name: str, *preludes: str) -> Script:
    source = "\n".join((_FOLDER / f"{part}.lua").read_text(encoding="utf-8") for part in (*preludes, name))
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


CREATE = _load("create", "prelude")
APPEND = _load("append", "prelude", "answers")
LEASE = _load("lease")
PUT_SNAPSHOT = _load("put_snapshot")
TRIM = _load("trim", "answers")
KEEP = _load("keep")
DROP_KEPT = _load("drop_kept")
SET_DELETED = _load("set_deleted", "prelude")
PURGE = _load("purge")
REPLACE = _load("replace", "prelude")

READ_METAS = _load("read_metas")
MARK_RECENT = _load("mark_recent", "list_prelude")
ENDED_RECENT = _load("ended_recent", "list_prelude")
SETTLE_ROW = _load("settle_row")
READ_LIST = _load("read_list")

START_RUN = _load("start_run", "run_prelude")
HEARTBEAT_RUN = _load("heartbeat_run", "run_prelude")
SAVE_DECISION = _load("save_decision", "run_prelude")
END_RUN = _load("end_run", "run_prelude")
RECORD_RUN = _load("record_run", "run_prelude")
RATE_RUN = _load("rate_run", "run_prelude")
ASK_APPROVAL = _load("ask_approval", "run_prelude")
ANSWER_APPROVAL = _load("answer_approval", "run_prelude")
CLOSE_APPROVAL = _load("close_approval")
READ_RUNS = _load("read_runs", "run_prelude")
DROP_RUNS = _load("drop_runs")
ADD_EVENTS = _load("add_events")
INDEX_RUN = _load("index_run", "run_prelude")
READ_RUN_INDEX = _load("read_run_index", "run_prelude")
DROP_FROM_RUN_INDEX = _load("drop_from_run_index")
PUT_PROPOSAL = _load("put_proposal", "run_prelude")
CLOSE_PROPOSAL = _load("close_proposal")
PURGE_RUNS = _load("purge_runs")
ADD_USAGE = _load("add_usage")

PUT_USER = _load("put_user")
READ_SUBJECT = _load("read_subject")
LET_IN = _load("let_in")
CHANGE_USER = _load("change_user")
PUT_KEY = _load("put_key")
READ_FACTS = _load("read_facts")
DROP_KEY = _load("drop_key")
PUT_ACCESS = _load("put_access")
RESERVE_WORKSPACE = _load("reserve_workspace")
WRITE_FOLDERS = _load("write_folders")

ADD_MARKS = _load("add_marks")
COUNT_REFUSED = _load("count_refused")
