"""Write docs/openapi.json from the code, so that the description cannot say anything else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "openapi.json"


def description() -> str:
    """The API's description as it is kept."""
    from houseway.api.openapi import openapi
    from houseway.api.routes import ROUTES

    return json.dumps(openapi(ROUTES), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the file, or with --check say whether it is up to date."""
    text = description()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text("utf-8") == text
        print("docs/openapi.json is up to date" if same else "docs/openapi.json is out of date: run tools/openapi.py")
        return 0 if same else 1
    PAGE.write_text(text, "utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
