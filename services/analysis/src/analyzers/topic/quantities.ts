import type { Token } from "../../text/tokens.js";

/** Nouns that only measure behind a number. */
const UNITS: ReadonlySet<string> = new Set(
  (
    "m km cm mm metre metres meter meters kilometre kilometres kilometer kilometers mile miles yard yards foot feet ft inch inches in " +
    "kg kilo kilos kilogram kilograms g gram grams mg lb lbs pound pounds ounce ounces oz ton tons tonne tonnes stone " +
    "l litre litres liter liters ml gallon gallons pint pints cup cups spoon spoons tablespoon tablespoons teaspoon teaspoons " +
    "h hr hrs hour hours min mins minute minutes s sec secs second seconds ms day days night nights week weeks month months year years yrs yr " +
    "decade decades century centuries am pm " +
    "dollar dollars euro euros buck bucks cent cents penny pence quid usd eur gbp rupees yen percent pct k mil million millions billion billions " +
    "bn trillion thousand thousands hundred hundreds dozen dozens gb mb tb kb gig gigs gigabytes mbps bpd bps mph kmh kph km/h degree degrees " +
    "watt watts w kw kwh mw volt volts v amp amps hz mhz ghz db mah bpm points point pts star stars times x bits steps pages words " +
    "people persons person guests folks users things items pieces copies units figure figures"
  ).split(" "),
);

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty " +
    "thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen half first second third"
  ).split(" "),
);

const ORDINAL = /^(?:first|second|third|\d+(?:st|nd|rd|th))$/;
/** Nouns that numbers of order name, and do not count: `first aid`, `second hand`. */
const ORDERED: ReadonlySet<string> = new Set(
  (
    "aid class lady name names responder responders edition world amendment baseman base hand half wave language person party parties date dates " +
    "impression impressions grade grader floor world"
  ).split(" "),
);

/** Words that count like numbers: `a few pounds`, `several hours`. */
const FEW: ReadonlySet<string> = new Set("few several many some".split(" "));

/** Whether a chunk is a number of units and nothing else: `356 metres`, `about 24 h`. */
export function isQuantity(tokens: readonly Token[], first: number, headAt: number): boolean {
  if (!UNITS.has(tokens[headAt]?.lower ?? "") || headAt === 0) return false;
  const before = tokens[headAt - 1];
  // Between its number and the unit, an adjective adds nothing: `ten long years`.
  const number = before?.pos === "ADJ" && !FEW.has(before.lower) && headAt - 2 >= first ? tokens[headAt - 2] : before;
  return (isNumber(number) || FEW.has(number?.lower ?? "")) && tokens[headAt]?.newLine !== true;
}

/** The index after a quantity at the head of a chunk: `2,500` of `2,500 jobs`, `four week` of `four week course`. */
export function skipQuantity(tokens: readonly Token[], begin: number, headAt: number): number {
  if (begin >= headAt || !isNumber(tokens[begin])) return begin;
  const next = tokens[begin + 1];
  if (next === undefined || isPartOfName(tokens, begin)) return begin;
  if (ORDERED.has(next.lower) && ORDINAL.test(tokens[begin]?.lower ?? "")) return begin;
  if (next.text === "-" || next.text === "/" || next.text === ".") return begin;
  return UNITS.has(next.lower) && begin + 1 < headAt ? begin + 2 : begin + 1;
}

/** A year tells one from another (`2024 election`), and names begin with numbers: `50 Cent`, `7 Eleven`. */
function isPartOfName(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (/^(?:19|20)\d\d$/.test(token?.text ?? "")) return true;
  return next?.pos === "PROPN" && /^\p{Lu}/u.test(next.text) && /^(?:\d{1,3}|\p{Lu}\p{L}+)$/u.test(token?.text ?? "");
}

function isNumber(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === "number" || token.pos === "NUM") return true;
  return NUMBER_WORDS.has(token.lower) || /^\d+(?:st|nd|rd|th|k|x)$/.test(token.lower);
}
