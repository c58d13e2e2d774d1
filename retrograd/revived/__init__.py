"""Stand-ins for modules that later Pythons removed; found by the names they had, not by this one."""
