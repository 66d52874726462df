"""Houseway: an open table-games system with one rulebook and three jobs: run, prove, show."""

__version__ = "0.1.0"
