"""A plugin of Draftsmith: what runs in a Kubernetes cluster, read with kubectl.

    python -m draftsmith_kubernetes --settings kubernetes.toml --port 8080

Not here: what travels between server and plugin, which is `draftsmith.plugin`.
"""
