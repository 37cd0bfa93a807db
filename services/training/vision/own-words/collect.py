"""Collects the pictures that our own words of the classifier are trained on.

Run:  python collect.py DIR [--repositories PATTERN]

Needs git, apt-get and dpkg-deb, and the packages pillow and numpy. Photos come from public repositories and packages of
Debian as SOURCES lists them, with licences that allow it; none is part of this repository. They become DIR/photos, which
labels.json names; DIR/flower, DIR/drawing and DIR/screenshot hold pictures of one word each; DIR/plain has colors, signs
and lines of print that no word is right for. render_charts.py and render_pages.mjs draw the rest.
"""

import argparse
import glob
import io
import pathlib
import random
import subprocess

import numpy as np
from PIL import Image, ImageDraw, ImageFont

#: Repositories with commit, licence, and the most photos taken from it.
REPOSITORIES = [
    ("getsolus/artwork", "935b24ac", "Public domain, CC0, CC BY or CC BY-SA", None),
    ("pop-os/wallpapers", "03a25a14", "Unsplash of before 2017 (CC0), CC BY-SA 4.0", None),
    ("linuxdeepin/deepin-wallpapers", "ac2fe337", "CC BY 4.0, CC0, Unsplash", None),
    ("elementary/wallpapers", "f28b8614", "CC0 or Unsplash by picture", None),
    ("ubuntu-mate/ubuntu-mate-artwork", "7d8984c3", "CC BY-SA", None),
    ("Azure-Samples/cognitive-services-sample-data-files", "65af3b93", "MIT", None),
    ("GoogleCloudPlatform/cloud-vision", "7d50fb62", "Apache-2.0", None),
    ("gradio-app/gradio", "375335e6", "Apache-2.0", None),
    ("kornia/data", "a95086ea", "Apache-2.0", None),
    ("PaddlePaddle/PaddleClas", "d178931f", "Apache-2.0", None),
    ("dusty-nv/jetson-inference", "45da40a8", "MIT", 400),
    ("vladmandic/human", "151df64d", "MIT", 120),
    ("tensorflow/tfjs-models", "18a73420", "Apache-2.0", 60),
    ("davisking/dlib", "3d40bf57", "BSL-1.0", 200),
    ("open-mmlab/mmpose", "759b39c1", "Apache-2.0", 100),
    ("BVLC/caffe", "9b891540", "BSD-2-Clause", 10),
]
#: TensorFlow's flower photos, CC BY 2.0 each.
FLOWERS = ("Oldpel/flower_photos", "140ff6f3", "dataset/train", 900)
#: Packages of Debian 12 with photos; those of gcompris-qt-data are inside its .rcc files.
PHOTO_PACKAGES = ["scratch", "budgie-control-center-data", "mate-backgrounds", "gnome-backgrounds", "plasma-workspace-wallpapers"]
GCOMPRIS = "gcompris-qt-data"
#: Drawings (public domain; GPL-3+) and pictures of programs (GFDL, GPL, CC BY-SA), with the most taken from each.
DRAWINGS = [("openclipart-png", 1_100), ("pysiogame", 350)]
MANUALS = ["gimp-help-en", "gnome-user-docs", "debian-handbook", "gnucash-docs", "kstars-data", "kile-doc", "mate-user-guide", "gnumeric-doc"]
MANUAL_MAX = 130
SIDE_MAX = 520
SIDE_MIN = 120
SIGN_WORDS = "thank you happy birthday cake sale open today only new shop coffee welcome closed hello stop exit best price".split()


def save(data, target):
    """Saves the picture, reduced and on white; False if it is none or too small."""
    try:
        picture = Image.open(io.BytesIO(data)).convert("RGBA")
    except (OSError, ValueError):
        return False
    if min(picture.size) < SIDE_MIN:
        return False
    ground = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture)
    picture = ground.convert("RGB")
    picture.thumbnail((SIDE_MAX, SIDE_MAX))
    target.parent.mkdir(parents=True, exist_ok=True)
    picture.save(f"{target}.jpg", quality=88)
    return True


def photo(out, origin, path):
    """The place of a photo; its name is that of labels.json with "__" for "/"."""
    return out / "photos" / f"{origin}/{path}".replace("/", "__")


def repository(name, pattern, scratch):
    owner, project = name.split("/")
    source = pattern.format(owner=owner, name=project)
    if pathlib.Path(source).is_dir():
        return source
    folder = scratch / project
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", source, str(folder)], check=True)
    return str(folder)


def pictures_of(source, commit, under=""):
    """Yields the paths and bytes of the pictures of a commit."""
    listed = subprocess.run(["git", "-C", source, "ls-tree", "-r", "--name-only", commit, under or "."], check=True, capture_output=True, text=True)
    for path in listed.stdout.splitlines():
        if path.lower().endswith((".jpg", ".jpeg", ".png", ".webp")):
            shown = subprocess.run(["git", "-C", source, "show", f"{commit}:{path}"], capture_output=True)
            if shown.returncode == 0:
                yield path, shown.stdout


def package(name, scratch):
    folder = scratch / name
    folder.mkdir(exist_ok=True)
    subprocess.run(["apt-get", "download", "-qq", name], check=True, cwd=folder)
    subprocess.run(["dpkg-deb", "-x", glob.glob(f"{folder}/{name}_*.deb")[0], str(folder)], check=True)
    return folder


def webp_in(folder):
    """Yields the WebP pictures inside the resource files of gcompris, with names by file and order."""
    at_file = 0
    for file in folder.rglob("*.rcc"):
        data, at = file.read_bytes(), 0
        while (at := data.find(b"RIFF", at)) >= 0:
            size = int.from_bytes(data[at + 4 : at + 8], "little") + 8
            if data[at + 8 : at + 12] == b"WEBP" and size > 12_000:
                yield f"{file.stem}-{at_file:04}.webp", data[at : at + size]
                at_file += 1
            at += 8


def draw_plain(folder, count=260):
    """Draws colors, gradients, signs and lines of print."""
    folder.mkdir(parents=True, exist_ok=True)
    fonts = sorted(glob.glob("/usr/share/fonts/**/*.ttf", recursive=True))

    def color():
        return tuple(random.randint(0, 255) for _ in range(3))

    for at in range(count):
        width, height = random.randint(200, 900), random.randint(120, 700)
        ground = random.choice([(255, 255, 255), (250, 248, 240), color(), color(), (20, 20, 20)])
        picture = Image.new("RGB", (width, height), ground)
        draw = ImageDraw.Draw(picture)
        font = ImageFont.truetype(random.choice(fonts), random.randint(20, 100))
        if at % 4 == 0 and random.random() < 0.5:
            share = np.linspace(0, 1, width)[None, :, None] * np.ones((height, 1, 1))
            picture = Image.fromarray((np.array(color()) * share + np.array(color()) * (1 - share)).astype("uint8"))
        elif at % 4 in (1, 2):
            for line in range(random.randint(1, 3)):
                text = " ".join(random.sample(SIGN_WORDS, random.randint(1, 4)))
                draw.text((20, 20 + line * (font.size + 15)), random.choice([text, text.upper()]), font=font, fill=color())
        elif at % 4 == 3:
            draw.rounded_rectangle((30, 30, width - 30, height - 30), radius=random.randint(0, 40), fill=color())
            draw.text((width / 2, height / 2), random.choice(SIGN_WORDS).upper(), font=font, anchor="mm", fill=color())
        picture.save(folder / f"p{at}.jpg", quality=90)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repositories", default="https://github.com/{owner}/{name}.git")
    options = parser.parse_args()
    out, scratch = options.folder, options.folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    random.seed(3)
    for name, commit, _, most in REPOSITORIES:
        found = list(pictures_of(repository(name, options.repositories, scratch), commit))
        if most:
            random.shuffle(found)
        for path, data in found[:most]:
            save(data, photo(out, name.split("/")[1], path))
    name, commit, under, most = FLOWERS
    found = list(pictures_of(repository(name, options.repositories, scratch), commit, under))
    random.shuffle(found)
    for at, (_, data) in enumerate(found[:most]):
        save(data, out / "flower" / f"f{at}")
    for name in PHOTO_PACKAGES:
        folder = package(name, scratch)
        for file in sorted(folder.rglob("*.jp*g")):
            save(file.read_bytes(), photo(out, name, file.relative_to(folder)))
    for name, data in webp_in(package(GCOMPRIS, scratch)):
        save(data, photo(out, GCOMPRIS, name))
    for word, sources in (("drawing", DRAWINGS), ("screenshot", [(name, MANUAL_MAX) for name in MANUALS])):
        for name, most in sources:
            files = sorted(f for f in package(name, scratch).rglob("*") if f.suffix in (".png", ".jpg"))
            random.shuffle(files)
            taken = 0
            for file in files:
                if taken < most and (word == "drawing" or name == "gimp-help-en" or "/C/" in str(file) or "/en" in str(file)):
                    taken += save(file.read_bytes(), out / word / f"{name}{taken}")
    draw_plain(out / "plain")


if __name__ == "__main__":
    main()
