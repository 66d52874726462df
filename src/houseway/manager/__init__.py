"""The Game Manager: the floor that writes its journal and ledger, its staff, and the stores under it."""

import logging

# Silent unless the program that runs a floor says where to write.
logging.getLogger("houseway").addHandler(logging.NullHandler())
