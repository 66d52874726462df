"""Write docs/check.html, the stand-alone checker, from the code, so that the file cannot check anything else."""

from __future__ import annotations

import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "check.html"


def main() -> int:
    """Write the file, or with --check say whether it is up to date."""
    from houseway.web.pages import checker_page

    text = checker_page()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text("utf-8") == text
        print("docs/check.html is up to date" if same else "docs/check.html is out of date: run tools/checker.py")
        return 0 if same else 1
    PAGE.write_text(text, "utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
