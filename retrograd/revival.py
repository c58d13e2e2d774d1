"""Names that later Pythons and NumPys removed, put back for the programs that use them."""


def install() -> None: ...


def uninstall() -> None: ...
