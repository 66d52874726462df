"""Par sheets: all that is known of a game's mathematics in one document, as PDF, as a workbook and as JSON.

``sheet.make`` puts a sheet together as plain data; the PDF and the workbook show that data and add nothing to it;
``verify.check`` counts again what a sheet says.
"""

from houseway.proof.par.asked import Asked, HouseFile
from houseway.proof.par.sheet import make
from houseway.proof.par.verify import Difference, check

__all__ = ["Asked", "Difference", "HouseFile", "check", "make"]
