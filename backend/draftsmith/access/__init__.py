"""Who may what: principals, roles, actions, and the one policy over them. Pure; nothing here reads a store."""
