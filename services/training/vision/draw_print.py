"""Draws pages of print in many scripts, with what is written where: for training and judging the reading of words.

python draw_print.py FONTS TEXTS.jsonl.gz PHOTOS OUT --pages 100 --seed 1 --fonts seen [--scripts Latin,Thai] [--figures]

FONTS is a folder of fonts (README.md lists the packages), TEXTS the sentences of the language data, `{"text", "label"}` with the
language's code, PHOTOS a folder of pictures for backgrounds. OUT gets JPEGs, one script each, and pages.jsonl. A third of the
fonts is set aside for judging (`--fonts unseen`), as should be other sentences and photos. With --figures most Latin
lines are numbers, dates, prices and single short words.
"""

import argparse
import gzip
import json
import random
import unicodedata
from pathlib import Path

import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFilter, ImageFont

#: The languages of each script, letters that its fonts have, and the first words of the names of its characters.
LATIN = "en de fr es it pt pl tr cs sv da nl ro hu fi hr id vi lt is sw et az sk lv sq eu tl nb ca"
SCRIPTS = {
    "Latin": (LATIN, "Aż", "LATIN"),
    "Cyrillic": ("ru uk bg sr be mk kk mn", "Жя", "CYRILLIC"),
    "Greek": ("el", "Ωλ", "GREEK"),
    "Arabic": ("ar fa ur", "ضع", "ARABIC"),
    "Hebrew": ("he", "שא", "HEBREW"),
    "Devanagari": ("hi mr", "कम", "DEVANAGARI"),
    "Thai": ("th", "กม", "THAI"),
    "Hangul": ("ko", "한글", "HANGUL"),
    "Han": ("zh", "国语", "CJK"),
    "Japanese": ("ja", "あカ", "HIRAGANA KATAKANA CJK"),
    "Bengali": ("bn", "কখ", "BENGALI"),
    "Tamil": ("ta", "கம", "TAMIL"),
    "Telugu": ("te", "కమ", "TELUGU"),
    "Gujarati": ("gu", "કમ", "GUJARATI"),
    "Gurmukhi": ("pa", "ਕਮ", "GURMUKHI"),
    "Georgian": ("ka", "ქმ", "GEORGIAN"),
    "Armenian": ("hy", "Քմ", "ARMENIAN"),
}
#: Scripts whose words are not parted by spaces.
UNPARTED = {"Han", "Japanese", "Thai"}
#: Scripts with capitals.
CASED = {"Latin", "Cyrillic", "Greek", "Armenian"}
#: Parts of the paths of the fonts that are set aside.
UNSEEN = (
    "liberation/ dejavu didot amiri ldco samyak Kinnari Purisa Sawasdee unfonts Lohit-Tamil Lohit-Bengali comic-neue roboto open-sans "
    "KacstOne gentiumplus andika cantarell arundina Gargi scheherazade NotoSerifHebrew NotoSerifDevanagari NotoSerifTelugu "
    "NotoSerifGujarati NotoSerifGurmukhi NotoSerifGeorgian NotoSerifArmenian NotoSerifCJK NotoSerifTamil NotoSerifBengali "
    "NotoSerifThai"
).split()
UNFIT = "Symbol Emoji Math Mono- Music Thin Hairline liberation2 UI- Condensed Black ExtraLight".split()
WORDS = "Qty OK EXIT A B X No Yes Tel Fax TV WC Mr PM USA EU Jan Feb Mai Dez Sum Total St. Ltd GmbH on to at POP HOT TAXI BAR CAFE POST ATM Wi-Fi www"


class Pages:
    def __init__(self, options):
        self.rng = random.Random(options.seed)
        self.noise = np.random.default_rng(options.seed)
        self.figures = options.figures
        self.fonts, self.signs = fonts_in(options.fonts_folder, options.fonts == "unseen")
        self.texts = {}
        with gzip.open(options.texts, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                self.texts.setdefault(row["label"], []).append(row["text"])
        self.photos = sorted(options.photos.glob("*.jpg"))[options.fonts == "unseen" :: 2]

    def phrase(self, script):
        if self.figures and script == "Latin" and self.rng.random() < 0.7:
            return self.figure()
        text = self.rng.choice(self.texts[self.rng.choice(SCRIPTS[script][0].split())])
        if script in UNPARTED:
            length = self.rng.randint(3, 22)
            start = self.rng.randint(0, max(0, len(text) - length))
            return text[start : start + length].strip()
        words = text.split()
        length = self.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 7])
        start = self.rng.randint(0, max(0, len(words) - length))
        text = " ".join(words[start : start + length])
        case = self.rng.random() if script in CASED else 1
        return text.upper() if case < 0.25 else text.title() if case < 0.35 else text

    def figure(self):
        rng = self.rng
        number = lambda most: rng.randint(0, most)
        return rng.choice(
            [
                lambda: str(number(9)),
                lambda: str(number(99999)),
                lambda: f"{rng.choice(['', '€', '$', '£'])}{number(9999)}.{number(99):02d}",
                lambda: f"{number(999)},{number(99):02d} €",
                lambda: f"{number(31):02d}.{number(12):02d}.20{number(30):02d}",
                lambda: f"{number(99)} {rng.choice(['%', 'kg', 'x', 'km'])}",
                lambda: f"{number(23)}:{number(59):02d}{rng.choice(['', ' AM', ' PM'])}",
                lambda: f"+{number(99)} {number(999)} {number(99999)}",
                lambda: f"{number(9)}  {number(99)}.{number(99):02d}",
                lambda: f"{rng.choice('ABCDEFGHKLMNPRSTXYZ')}{number(999)}",
                lambda: rng.choice(WORDS.split()),
            ]
        )()

    def fits(self, text, script, font):
        letters = [sign for sign in text if sign.isalpha()]
        names = tuple(SCRIPTS[script][2].split())
        if not all(unicodedata.name(sign, "").startswith(names) for sign in letters):
            return False
        if len(letters) < 2 and not (self.figures and script == "Latin"):
            return False
        return all(ord(sign) in self.signs[font] for sign in text if sign != " ")

    def background(self, width, height):
        """A picture, and whether it is plain."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.45:
            return Image.new("RGB", (width, height), rng.choice([(255, 255, 255), (250, 248, 240), (235, 235, 235)])), True
        if kind < 0.65:
            return Image.new("RGB", (width, height), tuple(rng.randint(0, 255) for _ in range(3))), True
        if kind < 0.75:
            grain = self.noise.normal(rng.randint(60, 200), rng.randint(4, 25), (height, width, 3))
            return Image.fromarray(grain.clip(0, 255).astype(np.uint8)), True
        photo = Image.open(rng.choice(self.photos)).convert("RGB")
        across = min(photo.width, rng.randint(photo.width // 3, photo.width))
        down = min(photo.height, across * height // width)
        left, top = rng.randint(0, photo.width - across), rng.randint(0, photo.height - down)
        photo = photo.crop((left, top, left + across, top + down)).resize((width, height))
        return (photo.filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 6))) if rng.random() < 0.6 else photo), False

    def ink(self, page, box):
        below = np.asarray(page.crop(box)).reshape(-1, 3).mean(0)
        for _ in range(50):
            ink = tuple(self.rng.randint(0, 255) for _ in range(3))
            if self.rng.random() < 0.6:
                ink = self.rng.choice([(0, 0, 0), (20, 20, 20), (255, 255, 255), (60, 60, 60)])
            if abs(np.dot(below - np.array(ink), [0.3, 0.59, 0.11])) > 70:
                break
        return ink

    def draw(self, script):
        """A page, its lines, and whether it was turned after they were drawn."""
        rng = self.rng
        width, height = rng.choice([(960, 640), (800, 600), (1200, 800), (640, 640), (720, 960)])
        page, plain = self.background(width, height)
        pen, y, lines = ImageDraw.Draw(page), rng.randint(8, 40), []
        while True:
            size = int(rng.choice([14, 16, 18, 20, 22, 24, 28, 32, 36, 44, 56, 72]) * rng.uniform(0.9, 1.15))
            font = rng.choice(self.fonts[script])
            text = next((text for text in (self.phrase(script) for _ in range(20)) if self.fits(text, script, font)), None)
            if text is None:
                continue
            drawn = ImageFont.truetype(font, size, layout_engine=ImageFont.Layout.RAQM)
            left, top, right, bottom = pen.textbbox((0, 0), text, font=drawn)
            across, down = right - left, bottom - top
            if not 8 <= across <= width - 40:
                continue
            if y + down + 10 > height:
                break
            x = rng.randint(15, max(15, width - int(across) - 20))
            ink = self.ink(page, (x, y, x + int(across), y + int(down) + 1))
            outline = {}
            if not plain and rng.random() < 0.3:
                outline = {"stroke_width": max(1, size // 14), "stroke_fill": tuple(255 - value for value in ink)}
            pen.text((x - left, y - top), text, font=drawn, fill=ink, **outline)
            lines.append({"text": text, "box": [x, y, int(across), int(down)]})
            y += int(down) + rng.randint(8, 40) + size // 3
        turned = rng.random() < 0.25
        if turned:
            mean = tuple(int(value) for value in np.asarray(page.resize((1, 1)))[0, 0])
            page = page.rotate(rng.uniform(-4, 4), fillcolor=mean, resample=Image.Resampling.BICUBIC)
        if rng.random() < 0.3:
            page = page.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.0)))
        return page, lines, turned


def fonts_in(folder, unseen):
    """The files by script, and the signs that each has."""
    fonts, signs = {}, {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in {".ttf", ".otf", ".ttc"}):
        file = str(path)
        if any(part in file for part in UNFIT) or any(part in file for part in UNSEEN) != unseen:
            continue
        known = TTFont(file, fontNumber=0, lazy=True).getBestCmap() or {}
        for script, (_, letters, _) in SCRIPTS.items():
            if all(ord(letter) in known for letter in letters):
                fonts.setdefault(script, []).append(file)
                signs[file] = frozenset(known)
    return fonts, signs


def main():
    parser = argparse.ArgumentParser()
    for name in ("fonts_folder", "texts", "photos", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", choices=["seen", "unseen"], default="seen")
    parser.add_argument("--scripts", type=lambda names: names.split(","), default=list(SCRIPTS))
    parser.add_argument("--figures", action="store_true")
    options = parser.parse_args()
    pages = Pages(options)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "pages.jsonl", "w", encoding="utf-8") as list_of_pages:
        for number in range(options.pages):
            script = options.scripts[number % len(options.scripts)]
            page, lines, turned = pages.draw(script)
            file = f"{number:04d}-{script}.jpg"
            page.save(options.out / file, quality=pages.rng.choice([60, 75, 85, 95]))
            row = {"file": file, "script": script, "turned": turned, "lines": lines}
            list_of_pages.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
