"""Write what is in a frozen folder, as CycloneDX: `bill_of_materials.py PYTHON TARGET`.

The packages are those that the folder's own Python tells of; what no package tells is added here: that
Python itself, the libraries of the building system that lie beside it, the embedding model and the fonts.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from partner_desktop import __version__  # noqa: E402

Component = dict[str, Any]  # what JSON says

#: What is shipped, and is no package of Python's: by the file that it is, in `resources`.
SHIPPED: dict[str, Component] = {
    "models/all-MiniLM-L6-v2-Q8_0.gguf": {
        "type": "machine-learning-model",
        "name": "sentence-transformers/all-MiniLM-L6-v2",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    },
    "fonts/Inter-Regular.ttf": {
        "type": "file",
        "name": "Inter",
        "licenses": [{"license": {"id": "OFL-1.1"}}],
    },
}


def main() -> int:
    """Write it."""
    parser = argparse.ArgumentParser(description="Write what is in a frozen folder, as CycloneDX.")
    parser.add_argument("python", type=Path, help="the folder's app/bin/python")
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    write_bill(options.python, options.target)
    return 0


def write_bill(python: Path, target: Path) -> None:
    """Write it.

    Raises:
        SystemExit: A tool fails, or what came of it does not keep to the schema.
    """
    tool = Path(sys.executable).with_name("cyclonedx-py")
    command = (
        tool, "environment", "--output-reproducible", "--pyproject", ROOT / "pyproject.toml", python,
    )  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"cyclonedx-py failed:\n{done.stderr[-3000:]}")
    bill = json.loads(done.stdout)
    own = bill["metadata"]["component"]
    own["version"] = __version__
    own["purl"] = f"pkg:pypi/partner-desktop@{__version__}"
    added = list(beside_packages(python))
    bill["components"] += added
    of_own = next(one for one in bill["dependencies"] if one["ref"] == own["bom-ref"])
    of_own["dependsOn"] = sorted({*of_own.get("dependsOn", ()), *(one["bom-ref"] for one in added)})
    text = json.dumps(bill, indent=1, sort_keys=True) + "\n"
    trouble = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if trouble is not None:
        raise SystemExit(f"the bill of materials breaks the schema: {trouble}")
    target.write_text(text, encoding="utf-8")


def beside_packages(python: Path) -> Iterator[Component]:
    """What the folder holds besides packages of Python's."""
    version = _told(python, "import platform; print(platform.python_version())")
    yield _named("cpython", {"type": "platform", "name": "CPython", "version": version})
    prefix = Path(_told(python, "import sys; print(sys.base_prefix)"))
    for library in sorted(prefix.glob("lib/lib*.so*")):
        if not library.is_symlink() and not library.name.startswith("libpython"):
            name, _, number = library.name.partition(".so")
            told: Component = {"type": "library", "name": name}
            yield _named(library.name, told | ({"version": number[1:]} if number else {}))
    for file, told in SHIPPED.items():
        if not (ROOT / "resources" / file).is_file():
            raise SystemExit(f"resources/{file} is not there, and stands in the bill of materials")
        yield _named(file, told)


def _named(reference: str, component: Component) -> Component:
    return {"bom-ref": f"beside:{reference}", **component}


def _told(python: Path, program: str) -> str:
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [python, "-I", "-c", program], env=surroundings, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
