"""A plugin of Draftsmith: versions of charts, container images and Kubernetes, from configured sources.

    python -m draftsmith_versions --settings versions.toml --port 8080

Each tool only reads. Not here: what travels between server and plugin, which is `draftsmith.plugin`.
"""
