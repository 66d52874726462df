"""The parts of `tools/crash.py`: databases and servers that can be hurt, what hurts them, and what must hold after."""
