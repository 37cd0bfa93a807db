"""Writes name-suggestion-index.txt from the npm package of the same name; README.md of this folder says how."""

import json
import re
import sys
import unicodedata

# A brand is listed if it is everywhere, or in so many countries: local chains share their names with much else.
COUNTRIES_MIN = 4
# These are not on signs or packages, or are names of places, people and trades.
LEFT_OUT = re.compile(
    r"brands/(advertising/|amenity/(atm|school|place_of_worship|clinic|kindergarten|library|post_box)"
    r"|emergency|highway|leisure/(dance|playground)|man_made|office/(?!(telecommunication|insurance|estate_agent))|power|telecom)"
)
LATIN = re.compile(r"[A-Za-z0-9À-ɏ &'’.+-]+")


def main() -> None:
    path, target = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        index = json.load(file)
    places: dict[str, set[str]] = {}
    for category, entry in index["nsi"].items():
        if not category.startswith("brands/") or LEFT_OUT.match(category):
            continue
        for item in entry["items"]:
            name = unicodedata.normalize("NFC", re.sub(r"\s*\(.*\)", "", item["displayName"]).strip())
            if "brand:wikidata" in item["tags"] and LATIN.fullmatch(name):
                places.setdefault(name, set()).update(map(str, item["locationSet"].get("include", [])))
    names = [name for name, where in places.items() if "001" in where or len(where) >= COUNTRIES_MIN]
    meta = index["_meta"]
    with open(target, "w", encoding="utf-8") as file:
        file.write(
            f"# Brands that are worldwide or in at least {COUNTRIES_MIN} countries, of the npm package"
            f" name-suggestion-index {meta['version']} ({meta['generated'][:10]}).\n"
            "# BSD-3-Clause, copyright 2026 name-suggestion-index contributors; written by collect_brands.py.\n"
        )
        file.writelines(f"{name}\n" for name in sorted(names))
    print(len(names))


main()
