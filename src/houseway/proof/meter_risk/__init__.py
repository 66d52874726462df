"""Meter risk: what a progressive's meter does over months, solved where it can be, and played out beside it.

``model``, ``ladder``, ``dry`` and ``jackpot`` are plain Python: the floor's adviser asks the first three. ``fan`` and
``house`` need numpy, ``simulate`` numba as well, ``plots`` matplotlib; each is imported when it is first used.
"""
