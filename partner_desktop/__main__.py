"""`python -m partner_desktop`."""

import sys

from partner_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
