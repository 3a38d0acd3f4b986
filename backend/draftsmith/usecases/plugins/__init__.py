"""The registered plugins of a worker, and what one run may call of them.

Not here: calls that wait for a yes (`runs.plugin_calls`).
"""
