"""wheel.py LIBRARY FOLDER: a wheel of include/bsparse.py with the shared library inside. Prints its path.

The tag says what the library needs: the newest version of the C library among its symbols, and the machine.
"""

import base64
import hashlib
import json
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
API = json.loads((ROOT / "include" / "api.json").read_text(encoding="utf-8"))
NAME = f"bsparse-{API['version']}"
# Zip files have no dates before this one; a fixed one makes equal contents equal wheels.
DATE = (1980, 1, 1, 0, 0, 0)


def tag(library):
    printed = subprocess.run(["readelf", "-V", library], capture_output=True, text=True, check=True).stdout
    newest = max(tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", printed))
    return f"py3-none-manylinux_{newest[0]}_{newest[1]}_{platform.machine()}"


def metadata():
    return ("Metadata-Version: 2.1\nName: bsparse\n" + f"Version: {API['version']}\n" +
            "Summary: Sparse kernels for deep learning behind one C interface\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\n")


def contents(library, wheel_tag):
    """{path in the wheel: bytes}"""
    wheel = f"Wheel-Version: 1.0\nGenerator: libbsparse\nRoot-Is-Purelib: false\nTag: {wheel_tag}\n"
    return {"bsparse.py": (ROOT / "include" / "bsparse.py").read_bytes(),
            f"bsparse.libs/libbsparse.so.{API['soversion']}": pathlib.Path(library).read_bytes(),
            f"{NAME}.dist-info/LICENSE": (ROOT / "LICENSE").read_bytes(),
            f"{NAME}.dist-info/METADATA": metadata().encode(), f"{NAME}.dist-info/WHEEL": wheel.encode()}


def record(files):
    rows = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(content)}")
    return "\n".join(rows + [f"{NAME}.dist-info/RECORD,,"]) + "\n"


def main():
    library, folder = sys.argv[1:]
    wheel_tag = tag(library)
    files = contents(library, wheel_tag)
    files[f"{NAME}.dist-info/RECORD"] = record(files).encode()
    path = pathlib.Path(folder) / f"{NAME}-{wheel_tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    print(path)


main()
