import { BRAND_DOMAINS, SHORTENERS, WELL_KNOWN } from "./brands.js";

/** Something about an address in a text, with the part of the text that shows it: UTF-16 offsets, `end` exclusive. */
export interface AddressFact {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Endings that are sold cheaply and to anybody; most fraud lies there. */
const NEW_ENDINGS = new Set(
  (
    "top xyz vip icu shop online site live club click buzz cyou sbs cfd life fun lol work link win bid loan men date " +
    "racing review stream trade party space website store tech pro bond rest beauty hair quest monster autos boats homes " +
    "yachts makeup skin support finance digital agency world today gdn tk ml ga cf gq pw wang mobi"
  ).split(" "),
);

/** Endings of bare addresses besides: written without `https://`, other words with a dot are no address. */
const OLD_ENDINGS =
  "com net org info biz co io me tv app dev ai gg ly us uk ie de fr es it pt nl be ch at pl cz sk hu ro gr tr ru ua se dk " +
  "no fi jp cn kr in th id vn my sg ph hk tw au nz ca br mx ar cl za ng ke il ae sa ir eu gov edu to fi gl gd lv su cc id one";

const ENDING = [...NEW_ENDINGS, ...OLD_ENDINGS.split(" "), "example", "invalid", "test"].join("|");

/** Every part is bounded, so scanning stays linear. Messages often break the address after `https://`. */
const ADDRESS = new RegExp(
  [
    String.raw`(?<scheme>https?:\/{1,2}\s?)(?<user>[^\s/@]{1,64}@)?(?<far>[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,120}[\p{L}\p{N}])?)`,
    String.raw`(?<![\p{L}\p{N}.@-])(?<bare>(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?\.){1,6}(?:${ENDING}))(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])`,
  ].join("|"),
  "giu",
);
const PATH = /^(?::\d{1,5})?(?:[/?#][^\s]{0,300})?/u;

const NUMERIC = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const BRANDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[...BRAND_DOMAINS.keys()].map((name) => name.replace(/[.+]/g, String.raw`\$&`)).join("|")})(?![\p{L}\p{N}])`,
  "giu",
);
/** The names that are long enough to be recognized within an address. */
const SLUGS = [...BRAND_DOMAINS].flatMap(([name, domains]) => {
  const slug = name.replace(/[^a-z0-9]+/g, "");
  return slug.length < 4 ? [] : [{ slug, domains }];
});
const SHORT_SLUGS = [...BRAND_DOMAINS].flatMap(([name, domains]) => (name.length < 4 ? [{ slug: name, domains }] : []));

/** Letters of other scripts that look like Latin ones, in words that have Latin letters too. */
const MIXED = /(?=[\p{L}]{0,30}\p{Script=Latin})(?=[\p{L}]{0,30}[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}]{2,30}/u;
const BEYOND_LATIN = /[\u0370-\u04ff]/;

/**
 * What the addresses of a text show: shorteners, cheap endings, numbers instead of names, look-alike letters, a brand
 * beside a domain that is not its own, and the words of the host. Linear in the length of the text.
 */
export const addressFacts = (text: string): AddressFact[] => {
  const facts = mixedLetters(text);
  if (!text.includes(".") && !text.includes("://")) return facts;
  const found = findAddresses(text);
  if (found.length === 0) return facts;
  const named = [...text.matchAll(BRANDS)]
    .filter(({ index }) => !found.some(({ start, end }) => index >= start && index < end))
    .map(([name]) => name.toLowerCase());
  for (const address of found) {
    const add = (name: string): void => void facts.push({ name, start: address.start, end: address.end });
    for (const name of factsOf(address, named)) add(name);
    if (found.length > 1) add("several");
  }
  return facts;
};

const mixedLetters = (text: string): AddressFact[] => {
  if (!BEYOND_LATIN.test(text)) return [];
  const match = MIXED.exec(text);
  return match === null ? [] : [{ name: "mixed letters", start: match.index, end: match.index + match[0].length }];
};

interface Address {
  readonly start: number;
  readonly end: number;
  readonly scheme: string;
  readonly user: boolean;
  readonly host: string;
  readonly path: string;
}

const findAddresses = (text: string): Address[] =>
  [...text.matchAll(ADDRESS)].flatMap((match) => {
    const { scheme = "", user, far, bare } = match.groups ?? {};
    const host = (far ?? bare ?? "").toLowerCase();
    if (far !== undefined && !host.includes(".") && !NUMERIC.test(host)) return [];
    const end = match.index + match[0].length;
    const [path = ""] = PATH.exec(text.slice(end, end + 310)) ?? [];
    return [{ start: match.index, end: end + path.length, scheme, user: user !== undefined, host, path }];
  });

function* factsOf({ scheme, user, host, path }: Address, named: readonly string[]): Generator<string> {
  yield "address";
  if (scheme === "") yield "bare";
  else if (scheme.toLowerCase().startsWith("http:")) yield "not encrypted";
  if (user) yield "user name before the domain";
  if (NUMERIC.test(host)) {
    yield "number instead of a domain";
    return;
  }
  const labels = host.split(".");
  const ending = labels.at(-1) ?? "";
  yield `ending ${ending}`;
  if (NEW_ENDINGS.has(ending)) yield "new ending";
  if (hasDomain(SHORTENERS, host)) {
    yield "shortener";
    if (named.length > 0) yield "brand beside a shortener";
    return;
  }
  if (hasDomain(WELL_KNOWN, host)) yield "well known";
  yield* brandFacts(host, named);
  const before = labels.slice(0, -1).join(".");
  if (/\d/.test(before)) yield "digits in the domain";
  if (/\d{3}/.test(before)) yield "many digits in the domain";
  const hyphens = before.split("-").length - 1;
  if (hyphens > 0) yield "hyphen";
  if (hyphens > 1) yield "hyphens";
  if (labels.length > 3) yield "deep";
  if (host.length > 24) yield "long";
  if (/(?:^|\.)xn--/.test(host) || /[^\x21-\x7e]/.test(host)) yield "letters beyond ASCII";
  if (/^\/[\w-]{0,12}\d[\w-]{0,12}$/.test(path)) yield "code as path";
  else if (path.length > 1) yield "path";
  for (const word of before.split(/[.-]+/)) if (word.length > 2 && word !== "www") yield `host ${word}`;
}

/** Whether a brand owns the address, or the address only claims to be its. */
function* brandFacts(host: string, named: readonly string[]): Generator<string> {
  const owns = (domains: readonly string[]): boolean => domains.some((domain) => isWithin(host, domain));
  const domainsOf = (name: string): readonly string[] => BRAND_DOMAINS.get(name) ?? [];
  if (named.some((name) => owns(domainsOf(name)))) yield "own domain of a brand in the text";
  else if (named.length > 0) yield "domain that is not of the brand in the text";
  const inside = SLUGS.filter(({ slug }) => host.includes(slug));
  const words = host.split(/[.-]+/);
  inside.push(...SHORT_SLUGS.filter(({ slug }) => words.includes(slug)));
  if (inside.some(({ domains }) => owns(domains))) yield "domain of a brand";
  else if (inside.length > 0) yield "brand in another domain";
  else if (resembles(host)) yield "look-alike of a brand";
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "\u0430": "a",
  "\u0435": "e",
  "\u043e": "o",
  "\u0440": "p",
  "\u0441": "c",
  "\u0443": "y",
  "\u0445": "x",
  "\u0456": "i",
  "\u0131": "i",
};

/** Whether a host spells a brand once look-alike letters are read as what they look like. */
const resembles = (host: string): boolean => {
  const read = host
    .replace(/[^a-z.-]/g, (sign) => LOOK_ALIKES[sign] ?? sign)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  const swapped = host.replaceAll("1", "i").replaceAll("0", "o");
  return SLUGS.some(({ slug }) => read.includes(slug) || swapped.includes(slug));
};

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const hasDomain = (domains: ReadonlySet<string>, host: string): boolean => {
  for (let rest = host; rest !== ""; rest = rest.slice(rest.indexOf(".") + 1)) {
    if (domains.has(rest)) return true;
    if (!rest.includes(".")) return false;
  }
  return false;
};
