/** Languages in which feeds write the names of months; the standard knows English only. */
const LOCALES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "nb",
  "da",
  "pl",
  "cs",
  "tr",
  "ro",
  "hu",
  "ru",
  "uk",
  "el",
];

/** Minutes east of Greenwich of the names that feeds use; the most common meaning where a name has several. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 60, bst: 60, cet: 60, cest: 120, met: 60, mest: 120 },
  ...{ eet: 120, eest: 180, msk: 180, trt: 180, sast: 120, ist: 330, pkt: 300, ict: 420, wib: 420, hkt: 480, sgt: 480 },
  ...{ awst: 480, jst: 540, kst: 540, acst: 570, aest: 600, aedt: 660, nzst: 720, nzdt: 780, brt: -180, art: -180 },
  ...{ adt: -180, ast: -240, edt: -240, est: -300, cdt: -300, cst: -360, mdt: -360, mst: -420, pdt: -420, pst: -480 },
  ...{ akdt: -480, akst: -540, hst: -600 },
};

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\b\.?)?`;
const ZONE = String.raw`\s*(?:\(?((?:[a-z]{1,5})?[+-]\d{1,2}:?(?:\d{2})?|[a-z]{1,5})\)?)?`;
const WEEKDAY = String.raw`^(?:\p{L}+\.?(?:,\s*|\s+))?`;
/** `Sun, 22 Nov 2026 10:00:00 GMT`, also without the day of the week, seconds, time or zone. */
const DAY_FIRST = new RegExp(
  String.raw`${WEEKDAY}(\d{1,2})\.?(?:[\s-]+|\s+de\s+)(\p{L}{3,})\.?,?(?:[\s-]+|\s+de\s+)(\d{4}|\d{2})`,
  "iu",
);
/** `Nov 22, 2026 10:00 PM`, also after the day of the week. */
const MONTH_FIRST = new RegExp(String.raw`${WEEKDAY}(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})`, "iu");
/** `Sun Nov 22 10:00:00 GMT 2026`, as programs in C and Java write it. */
const YEAR_LAST = /^(\p{L}+\s+\p{L}{3,}\s+\d{1,2})\s+(\d[\d:]+)((?:\s+[\w+:-]+)?)\s+(\d{4})$/iu;
/** `2026-11-22T10:00:00+01:00`, also with spaces, slashes or a date only, without dashes and colons, and as in East Asia. */
const YEAR_FIRST = /^(\d{4})(?:[-/]|年\s*)(\d{1,2})(?:[-/]|月\s*)(\d{1,2})日?/;
const DIGITS = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?)?(?!\d)/i;
/** `22.11.2026`; the month may come first, and the century may be missing. */
const NUMBERS = /^(\d{1,2})([-./])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d)/;
/** Seconds or milliseconds since the epoch, of the years 2001 to 2033. */
const EPOCH = /^(1\d{9})(\d{3})?$/;
const TIME_AND_ZONE = new RegExp(`^[,\\s]*(?:T|at\\s|-\\s)?\\s*${TIME}${ZONE}`, "i");

/** What may follow the time: the name of its zone in words, as browsers write it. */
const REST = /^\s*(?:\([^()]*\))?\s*$/;

/** Longest text that is read as a date. */
const CHARACTERS_MAX = 100;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const TWO_DIGITS_PIVOT = 70;

/** Which of two numbers comes first, the day or the month. */
export type Order = "day-first" | "month-first";

/** How a text is to be read. */
export interface DateReading {
  /** Of days in numbers; by default only those are read that allow one order, and with dots the day comes first. */
  readonly order?: Order | undefined;
  /** Whether all of the text must be understood: otherwise a zone of an unknown name is UTC, and a rest is passed over. */
  readonly isStrict?: boolean;
}

/** What a text states of a moment. */
export interface StatedMoment {
  /** Milliseconds since the epoch, if its time zone is UTC. */
  readonly local: number;
  /** Minutes east of Greenwich; undefined if it states no zone. */
  readonly east: number | undefined;
}

/**
 * Time that a feed states, in milliseconds since the epoch: RFC 822 with the zones of the wild, ISO 8601, and a few forms
 * more. Without a zone it is UTC. Undefined if it cannot be read or names a day that does not exist.
 */
export function readDate(text: string): number | undefined {
  const epoch = EPOCH.exec(text.trim());
  if (epoch !== null) return Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0);
  const stated = readMoment(text);
  return stated === undefined ? undefined : stated.local - (stated.east ?? 0) * MINUTE_MS;
}

/** A moment in words and numbers. Undefined if it cannot be read or names a day that does not exist. */
export function readMoment(text: string, reading: DateReading = {}): StatedMoment | undefined {
  if (text.length > CHARACTERS_MAX && reading.isStrict === true) return undefined;
  const date = standard(text.trim().slice(0, CHARACTERS_MAX));
  const day = readDay(date, reading.order);
  const start = day === undefined ? undefined : startOf(day);
  const clock = day === undefined ? undefined : readClock(date.slice(day.length), reading);
  return start === undefined || clock === undefined ? undefined : { local: start + clock.local, east: clock.east };
}

/** A time of day without a zone, such as `8:05 PM`, in milliseconds since midnight; undefined if it is none. */
export function readTime(text: string): number | undefined {
  const clock = text.trim() === "" ? undefined : readClock(text.trim(), { isStrict: true });
  return clock?.east === undefined ? clock?.local : undefined;
}

/** The numbers of a day such as `3/4/2026`, in which the day or the month may come first. */
export interface DayInNumbers {
  readonly first: number;
  readonly second: number;
  readonly separator: string;
  /** Whether its year has four digits. */
  readonly hasCentury: boolean;
}

/** Undefined if the text does not begin with such a day. */
export function dayInNumbers(text: string): DayInNumbers | undefined {
  const [, first, separator = "", second, year] = NUMBERS.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first), second: Number(second), separator, hasCentury: year?.length === 4 };
}

/** A date in which the year comes last, or digits stand without signs between, in one of the other forms. */
function standard(date: string): string {
  const [, day, time, zone, year] = YEAR_LAST.exec(date) ?? [];
  if (year !== undefined) return `${day} ${year} ${time}${zone}`;
  return date.replace(
    DIGITS,
    (_whole, year: string, month: string, days: string, ...[hours, minutes, seconds]: string[]) =>
      hours === undefined
        ? `${year}-${month}-${days}`
        : `${year}-${month}-${days}T${hours}:${minutes}:${seconds ?? "00"}`,
  );
}

interface Day {
  year: number;
  /** From 0. */
  month: number;
  day: number;
  /** Characters that state it. */
  length: number;
}

function readDay(date: string, order: Order | undefined): Day | undefined {
  const iso = YEAR_FIRST.exec(date);
  if (iso !== null) {
    const [whole, year, month, day] = iso;
    return { year: Number(year), month: Number(month) - 1, day: Number(day), length: whole.length };
  }
  const dayFirst = DAY_FIRST.exec(date);
  if (dayFirst !== null) {
    const [whole, day, month = "", year = ""] = dayFirst;
    return { year: fullYear(year), month: monthOf(month), day: Number(day), length: whole.length };
  }
  const monthFirst = MONTH_FIRST.exec(date);
  if (monthFirst !== null) {
    const [whole, month = "", day, year] = monthFirst;
    return { year: Number(year), month: monthOf(month), day: Number(day), length: whole.length };
  }
  const numbers = NUMBERS.exec(date);
  return numbers === null ? undefined : dayOfNumbers(numbers, order);
}

/** Without an order only one that can be read in one way. */
function dayOfNumbers(
  [whole, first, sign, second, digits = ""]: RegExpExecArray,
  order: Order | undefined,
): Day | undefined {
  const [a, b] = [Number(first), Number(second)];
  const [year, length] = [fullYear(digits), whole.length];
  const read = (day: number, month: number): Day => ({ year, month: month - 1, day, length });
  if (order !== undefined) return order === "day-first" ? read(a, b) : read(b, a);
  if (digits.length < 4) return undefined;
  if (sign === "." || a > 12 || a === b) return read(a, b);
  return b > 12 ? read(b, a) : undefined;
}

/** -1 if there is no such month. Three letters are enough where they mean one month only. */
function monthOf(name: string): number {
  months ??= monthNames();
  const month = withoutAccents(name);
  return months.get(month) ?? months.get(month.slice(0, 3)) ?? -1;
}

let months: ReadonlyMap<string, number> | undefined;

/** Names of months, their short forms and first letters; -1 for those that mean several. */
function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const add = (name: string, month: number): void => {
    const known = names.get(name) ?? month;
    names.set(name, known === month ? month : -1);
  };
  for (const locale of LOCALES) {
    for (const style of ["short", "long"] as const) {
      // With the day, because some languages bend the name then.
      const format = new Intl.DateTimeFormat(locale, { month: style, day: "numeric", timeZone: "UTC" });
      for (let month = 0; month < 12; month++) {
        const parts = format.formatToParts(Date.UTC(2026, month, 1));
        const name = withoutAccents(parts.find(({ type }) => type === "month")?.value ?? "");
        for (const form of new Set([name, name.slice(0, 3)])) add(form, month);
      }
    }
  }
  return names;
}

function withoutAccents(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\p{M}.]/gu, "");
}

function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < TWO_DIGITS_PIVOT ? 2000 + year : 1900 + year;
}

/** Start of the day in UTC; undefined if there is no such day. */
function startOf({ year, month, day }: Day): number | undefined {
  const start = new Date(Date.UTC(year, month, day));
  const exists = start.getUTCFullYear() === year && start.getUTCMonth() === month && start.getUTCDate() === day;
  return exists ? start.getTime() : undefined;
}

/** Milliseconds from the start of the day, and the zone; midnight if there is only a date. */
function readClock(text: string, { isStrict = false }: DateReading): StatedMoment | undefined {
  if (text.trim() === "") return { local: 0, east: undefined };
  const match = TIME_AND_ZONE.exec(text);
  if (match === null || (isStrict && !REST.test(text.slice(match[0].length)))) return undefined;
  const [, hours, minutes, seconds = "0", half, zone] = match;
  const hour = hourOf(Number(hours), half);
  if (hour > (isStrict ? 23 : 24) || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const local = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  if (zone === undefined) return { local, east: undefined };
  const east = minutesEast(zone);
  // In a feed, an error of some hours is smaller than that of the time of first sight.
  if (isStrict && (east === undefined || Math.abs(east) >= DAY_MINUTES)) return undefined;
  return { local, east: east ?? 0 };
}

/** Infinity for an hour that the half of a day does not have. */
function hourOf(hours: number, half: string | undefined): number {
  if (half === undefined) return hours;
  return hours > 12 ? Infinity : (hours % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
}

/** Undefined for a name that is none of a zone. */
function minutesEast(zone: string): number | undefined {
  const offset = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (offset === null) return ZONES[zone.toLowerCase()];
  const [, sign, hours, minutes = "0"] = offset;
  const east = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -east : east;
}
