"""Operations that are resolved at the head and kept, for a run or for a suggestion that somebody makes themselves.

Not here: what becomes of them (`runs.finish`, `proposals`).
"""
