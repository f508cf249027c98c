"""Builds the wheel of the Python package (PEP 517): CMake builds the module for the Python that runs this, and its files are packed.

Needs what building Weir needs, pybind11 and Python's headers, but no package of Python. Weir itself is built in
build/python-VERSION; WEIR_PYTHON_BUILD names another folder of CMake, in which the module may be built already.
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

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"^project\(weir VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]


def _metadata():
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            "Name: weir",
            f"Version: {_version()}",
            "Summary: Verifies concurrent programs under SC, TSO and PSO",
            "License: Apache-2.0",
            "Requires-Python: >=3.9",
            "",
        ]
    )


def _tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: weir_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _run(*command):
    if subprocess.run([str(part) for part in command]).returncode != 0:
        sys.exit("weir: the module cannot be built; `scripts/setup.sh python` installs what it needs on Debian 12")


def _built():
    """The folder with the package: python/weir of a folder of CMake."""
    if not (SOURCE / "CMakePresets.json").exists():
        sys.exit(f"weir: {SOURCE} does not hold the sources of Weir; build in the repository, as in: pip install ./python")
    chosen = os.environ.get("WEIR_PYTHON_BUILD")
    folder = pathlib.Path(chosen) if chosen else SOURCE / f"build/python-{sysconfig.get_python_version()}"
    if not chosen:
        _run("cmake", "-S", SOURCE, "--preset", "release", "-B", folder, "-DWEIR_TESTS=OFF",
             f"-DPython_EXECUTABLE={sys.executable}", "-DWEIR_PYTHON=ON", "--log-level=WARNING")  # fmt: skip
    _run("cmake", "--build", folder, "--target", "weir_python_package", "--parallel", os.cpu_count() or 1)
    package = folder / "python"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if not (package / "weir" / f"_weir{suffix}").exists():
        sys.exit(f"weir: {folder} builds the module for another Python; remove it, or set WEIR_PYTHON_BUILD to a new folder")
    return package


def _pack(path, files):
    """Writes a wheel of pairs of a name and bytes or a path, with the list of them that the format wants."""
    info = f"weir-{_version()}.dist-info"
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files:
            if isinstance(content, pathlib.Path):
                content = content.read_bytes()
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        wheel.writestr(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory) / f"weir-{_version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata())
    (info / "WHEEL").write_text(_wheel())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _built()
    info = f"weir-{_version()}.dist-info"
    files = [(path.relative_to(package).as_posix(), path) for path in sorted(package.rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts]  # fmt: skip
    files += [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", _wheel().encode()),
        (f"{info}/LICENSE", (SOURCE / "LICENSE").read_bytes()),
    ]
    name = f"weir-{_version()}-{_tag()}.whl"
    _pack(pathlib.Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("Weir's Python package is built in its repository: pip install ./python")
