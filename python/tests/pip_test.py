"""pip_test.py SOURCE BUILD: `pip install .` with what the machine has, and the module as it is installed."""
import os
import pathlib
import subprocess
import sys
import tempfile

source, build = sys.argv[1:]
with tempfile.TemporaryDirectory() as place:
    # the tree that is built already, so that the library is not compiled once more
    env = {**os.environ, "REPOSE_BUILD_DIR": build, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", place, source],
                   env=env, check=True)
    env["PYTHONPATH"] = place
    env.pop("REPOSE_DATA", None)
    told = subprocess.run([sys.executable, "-c", "import repose; print(repose.__file__); print(repose.gallery()[0]['path']); "
                           "print(repose.load('place/cone-on-ground').check()['overlap'])"],
                          env=env, cwd=place, check=True, capture_output=True, text=True).stdout.split()
    assert pathlib.Path(told[0]).is_relative_to(place), told
    assert pathlib.Path(told[1]).is_relative_to(place), told
    assert told[2] == "proven", told
    names = {path.name for path in (pathlib.Path(place) / "repose").iterdir()}
    assert {"__init__.py", "_core.pyi", "py.typed", "errors.py"} <= names, names
