"""Small helpers."""


def strtobool(val: str) -> int:
    """1 for a word that says yes, 0 for one that says no."""
    word = val.lower()
    if word in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if word in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {word!r}")
