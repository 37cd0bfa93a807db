import { placeKey } from "./gazetteer.js";

/** A country that a name means. */
export interface NamedCountry {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string;
  /** Whether it is its code or an English name, and not a name in another language only. */
  readonly isPlain: boolean;
}

const LANGUAGES = [
  "en",
  "es",
  "fr",
  "de",
  "it",
  "pt",
  "nl",
  "pl",
  "tr",
  "ru",
  "uk",
  "ar",
  "hi",
  "id",
  "ja",
  "ko",
  "zh",
];

/** English names beside the one of CLDR. */
const EVERYDAY: Readonly<Record<string, readonly string[]>> = {
  AE: ["UAE", "Emirates"],
  BA: ["Bosnia"],
  CI: ["Ivory Coast"],
  CV: ["Cabo Verde"],
  CZ: ["Czech Republic"],
  GB: ["UK", "Great Britain", "Britain"],
  HK: ["Hong Kong"],
  KR: ["Korea"],
  MK: ["Macedonia"],
  MM: ["Burma", "Myanmar"],
  MO: ["Macau", "Macao"],
  NL: ["Holland", "The Netherlands"],
  PS: ["Palestine"],
  RU: ["Russian Federation"],
  SZ: ["Swaziland"],
  TR: ["Turkey"],
  US: ["USA", "United States of America", "America", "The United States"],
  VA: ["Vatican"],
  VN: ["Viet Nam"],
};

/** Codes that CLDR names and that are no countries. */
const NO_COUNTRIES = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));
/** False for codes that ISO has withdrawn or reserves for others: CLDR gives them the name of a country that has another code. */
const isCurrent = (code: string, name: string): boolean =>
  name !== code && !NO_COUNTRIES.has(code) && new Intl.Locale("und", { region: code }).region === code;

const ENGLISH = new Intl.DisplayNames(["en"], { type: "region" });

/** The English name of a country; its code if it has none. */
export function countryName(code: string): string {
  return ENGLISH.of(code) ?? code;
}

let known: ReadonlyMap<string, readonly NamedCountry[]> | undefined;

/** The countries that a key of `placeKey` names: by ISO code, or by name in one of some twenty languages. */
export function countriesNamed(key: string): readonly NamedCountry[] {
  known ??= countriesByKey();
  return known.get(key) ?? [];
}

function countriesByKey(): Map<string, NamedCountry[]> {
  const byKey = new Map<string, NamedCountry[]>();
  const add = (name: string, country: NamedCountry): void => {
    const key = placeKey(name);
    const named = byKey.get(key) ?? [];
    if (!named.some(({ code }) => code === country.code)) byKey.set(key, [...named, country]);
  };
  const codes = currentCodes();
  for (const code of codes) {
    for (const name of [code, countryName(code), ...(EVERYDAY[code] ?? [])]) add(name, { code, isPlain: true });
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region" });
    for (const code of codes) add(names.of(code) ?? code, { code, isPlain: false });
  }
  return byKey;
}

function currentCodes(): string[] {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode("A".charCodeAt(0) + index));
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  return pairs.filter((code) => isCurrent(code, countryName(code)));
}
