"""Builds the wheel of the module repose (PEP 517) with cmake alone: no network, nothing to be fetched.

The build tree is build/python, or $REPOSE_BUILD_DIR where one is given that is configured already.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENES = ("scenes", "models")  # what the gallery reads


def version():
    return re.search(r"project\(repose VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def build_tree():
    given = os.environ.get("REPOSE_BUILD_DIR")
    tree = pathlib.Path(given) if given else ROOT / "build/python"
    if not (tree / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DREPOSE_BUILD_APPS=OFF",
                        "-DREPOSE_BUILD_TESTS=OFF", "-DREPOSE_BUILD_PYTHON=ON", f"-DREPOSE_PYTHON={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", tree, "--target", "repose_python"], check=True)
    return tree


def tag():
    python = "cp" + sysconfig.get_config_var("py_version_nodot")
    return f"{python}-{python}-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def metadata():
    return (f"Metadata-Version: 2.1\nName: repose\nVersion: {version()}\n"
            "Summary: Places, piles and moves bodies that do not pass through each other, and proves it\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


class Wheel:
    """A zip with a list of what is in it."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(data)}")
        self.zip.writestr(name, data)

    def close(self, info):
        self.rows.append(f"{info}/RECORD,,")
        self.zip.writestr(f"{info}/RECORD", "\n".join(self.rows) + "\n")
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    tree = build_tree()
    name = f"repose-{version()}-{tag()}.whl"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    for module in sorted((ROOT / "python/repose").iterdir()):
        if module.suffix in (".py", ".pyi") or module.name == "py.typed":
            wheel.add(f"repose/{module.name}", module.read_bytes())
    for library in sorted((tree / "python/repose").glob("_core*.so")):
        wheel.add(f"repose/{library.name}", library.read_bytes())
    for folder in SCENES:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file():
                wheel.add(f"repose/data/{file.relative_to(ROOT).as_posix()}", file.read_bytes())
    info = f"repose-{version()}.dist-info"
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: repose_build\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(info)
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []
