"""The real program on a machine without a model engine, which takes seconds to begin."""

import sys

from partner_desktop.cli import main

if __name__ == "__main__":
    sys.modules["llama_cpp"] = None  # type: ignore[assignment] # an import of it fails, as if it were not there
    sys.exit(main(sys.argv[1:]))
