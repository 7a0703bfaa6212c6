// Empty: gives the precompiled header a target of its own.
