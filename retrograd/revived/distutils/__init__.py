"""What programs, not installers, use of ``distutils``, which Python 3.12 removed."""
