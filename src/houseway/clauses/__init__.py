"""Traceability: every clause of the specification, the tests that prove it, and what came of them.

``catalogue`` knows the clauses, ``results`` what a test run said about them, ``matrix`` lays one against
the other, and ``command`` prints that as ``houseway clauses``.
"""
