/** Names of `Intl` for what is no single language. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis", "root"]);

/** Only English names: files that hold names have these. */
let languages: { readonly names: Intl.DisplayNames; readonly codes: Map<string, string | undefined> } | undefined;

/** More spellings than these are not remembered. */
const REMEMBERED_MAX = 1000;

/**
 * The code of a language in ISO 639-1, or in ISO 639-3 if it has none: of `pt_BR`, `por`, `pt-Latn-BR.UTF-8` and
 * `Portuguese` it is `pt`. Undefined for what names no language, such as `und`.
 */
export function languageCodeOf(text: string): string | undefined {
  languages ??= { names: new Intl.DisplayNames("en", { type: "language", fallback: "none" }), codes: new Map() };
  const { names, codes } = languages;
  if (codes.has(text)) return codes.get(text);
  const code = readLanguage(text, names);
  if (codes.size < REMEMBERED_MAX) codes.set(text, code);
  return code;
}

/** Current codes of ISO 639-1 that `Intl` joins with others. */
const JOINED_CODES: ReadonlySet<string> = new Set(["tl"]);

/** Whether a text is a code of ISO 639-1, or of ISO 639-3 for a language that has none there, in any case. */
export function isLanguageCode(text: string): boolean {
  const plain = text.trim().toLowerCase();
  return JOINED_CODES.has(plain) || languageCodeOf(plain) === plain;
}

function readLanguage(text: string, names: Intl.DisplayNames): string | undefined {
  const [tag = ""] = text.trim().split(/[.@]/);
  const primary = tag.split(/[-_\s]/)[0] ?? "";
  if (/^[a-z]{2,3}$/i.test(primary) && !/^[a-z]+\s/i.test(tag)) {
    const [code = ""] = Intl.getCanonicalLocales(primary.toLowerCase()).map((locale) => locale.split("-")[0]);
    return names.of(code) === undefined || NO_LANGUAGES.has(code) ? undefined : code;
  }
  return codesByName("language", languagesOfTwoLetters).get(nameKey(text));
}

/** ISO 3166-1 alpha-3 and alpha-2, which `Intl` does not join. */
const ALPHA3 =
  "ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE " +
  "BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW " +
  "CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY " +
  "CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR " +
  "FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU " +
  "GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE " +
  "JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT " +
  "LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ " +
  "MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ " +
  "OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU " +
  "RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK " +
  "SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV " +
  "TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE " +
  "ZAFZA ZMBZM ZWEZW";

/** Codes in two letters by those in three, and those in two by themselves. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  ALPHA3.split(" ").flatMap((both) => {
    const [three, two] = [both.slice(0, 3), both.slice(3)];
    return [
      [three, two],
      [two, two],
    ];
  }),
);

/** What is used for a country and is none in ISO 3166-1. */
const OTHER_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["UK", "GB"],
  ["EL", "GR"],
  ["ENGLAND", "GB"],
  ["SCOTLAND", "GB"],
  ["WALES", "GB"],
  ["NORTHERN IRELAND", "GB"],
  ["GREAT BRITAIN", "GB"],
  ["U.S.", "US"],
  ["U.S.A.", "US"],
  ["UNITED STATES OF AMERICA", "US"],
  ["CZECH REPUBLIC", "CZ"],
]);

/**
 * The code of a country in two letters of ISO 3166-1: of `uk`, `GBR`, `826`, `GB-ENG` and `United Kingdom` it is `GB`.
 * Undefined for what names no country.
 */
export function countryCodeOf(text: string): string | undefined {
  const name = text.trim().toUpperCase();
  const other = OTHER_COUNTRIES.get(name);
  if (other !== undefined) return other;
  if (/^\d{1,3}$/.test(name)) return numbered(name.padStart(3, "0"));
  const [part = ""] = name.split(/[-_]/);
  return COUNTRIES.get(name) ?? COUNTRIES.get(part) ?? codesByName("region", countriesOfTwoLetters).get(nameKey(text));
}

/** The country of a number of ISO 3166-1. */
function numbered(digits: string): string | undefined {
  const code = Intl.getCanonicalLocales(`und-${digits}`)[0]?.slice("und-".length) ?? "";
  return COUNTRIES.get(code);
}

const byName = new Map<"language" | "region", ReadonlyMap<string, string>>();

/** Codes by their English names. */
function codesByName(type: "language" | "region", codes: () => Iterable<string>): ReadonlyMap<string, string> {
  const known = byName.get(type);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  const entries = [...codes()].flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[nameKey(name), code] as const];
  });
  const map = new Map(entries);
  byName.set(type, map);
  return map;
}

/** Without what only some writers add, such as `(Burma)`, and without accents. */
function nameKey(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}|\([^()]*\)/gu, "")
    .toLowerCase()
    .replaceAll("&", "and")
    .trim();
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function* languagesOfTwoLetters(): Generator<string> {
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      // Old codes have the names of new ones.
      if (Intl.getCanonicalLocales(first + second)[0] === first + second) yield first + second;
    }
  }
}

function countriesOfTwoLetters(): Iterable<string> {
  return new Set(COUNTRIES.values());
}
