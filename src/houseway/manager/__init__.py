"""The Game Manager: the floor, its journal and ledger, staff, wins, adjustments, reports, and the stores under them."""

import logging

# Silent unless the program that runs a floor says where to write.
logging.getLogger("houseway").addHandler(logging.NullHandler())
