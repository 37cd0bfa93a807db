const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Minutes east of Greenwich of the names that feeds use; the most common meaning where a name has several. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 60, bst: 60, cet: 60, cest: 120, met: 60, mest: 120 },
  ...{ eet: 120, eest: 180, msk: 180, trt: 180, sast: 120, ist: 330, pkt: 300, ict: 420, wib: 420, hkt: 480, sgt: 480 },
  ...{ awst: 480, jst: 540, kst: 540, acst: 570, aest: 600, aedt: 660, nzst: 720, nzdt: 780, brt: -180, art: -180 },
  ...{ adt: -180, ast: -240, edt: -240, est: -300, cdt: -300, cst: -360, mdt: -360, mst: -420, pdt: -420, pst: -480 },
  ...{ akdt: -480, akst: -540, hst: -600 },
};

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(am|pm)?`;
const ZONE = String.raw`\s*(?:\(?((?:[a-z]{1,5})?[+-]\d{1,2}:?(?:\d{2})?|[a-z]{1,5})\)?)?`;
/** `Sun, 22 Nov 2026 10:00:00 GMT`, also without the day of the week, seconds, time or zone. */
const DAY_FIRST = new RegExp(
  `^(?:[a-z]+\\.?(?:,\\s*|\\s+))?(\\d{1,2})[\\s-]+([a-z]{3})[a-z]*\\.?,?[\\s-]+(\\d{4}|\\d{2})`,
  "i",
);
/** `Nov 22, 2026 10:00 PM`, also after the day of the week. */
const MONTH_FIRST = new RegExp(
  `^(?:[a-z]+\\.?(?:,\\s*|\\s+))?([a-z]{3})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})`,
  "i",
);
/** `2026-11-22T10:00:00+01:00`, also with spaces, slashes or a date only. */
const YEAR_FIRST = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/;
const TIME_AND_ZONE = new RegExp(`^[,\\s]*(?:T|at\\s)?\\s*${TIME}${ZONE}`, "i");

/** Longest text that is read as a date. */
const CHARACTERS_MAX = 100;
const MINUTE_MS = 60_000;
const TWO_DIGITS_PIVOT = 70;

/**
 * Time that a feed states, in milliseconds since the epoch: RFC 822 with the zones of the wild, ISO 8601, and a few forms
 * more. Without a zone it is UTC. Undefined if it cannot be read or names a day that does not exist.
 */
export function readDate(text: string): number | undefined {
  const date = text.trim().slice(0, CHARACTERS_MAX);
  const day = readDay(date);
  if (day === undefined) return undefined;
  const start = startOf(day);
  if (start === undefined) return undefined;
  const clock = readClock(date.slice(day.length));
  return clock === undefined ? undefined : start + clock;
}

interface Day {
  year: number;
  /** From 0. */
  month: number;
  day: number;
  /** Characters that state it. */
  length: number;
}

function readDay(date: string): Day | undefined {
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
  if (monthFirst === null) return undefined;
  const [whole, month = "", day, year] = monthFirst;
  return { year: Number(year), month: monthOf(month), day: Number(day), length: whole.length };
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase());
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

/** Milliseconds from the start of the day in UTC; 0 if there is only a date. */
function readClock(text: string): number | undefined {
  if (text.trim() === "") return 0;
  const match = TIME_AND_ZONE.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, seconds = "0", half, zone = ""] = match;
  const hour = hourOf(Number(hours), half);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  return ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 - minutesEast(zone) * MINUTE_MS;
}

function hourOf(hours: number, half: string | undefined): number {
  if (half === undefined) return hours;
  return (hours % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
}

/** An unknown name counts as UTC: an error of some hours is smaller than that of the time of first sight. */
function minutesEast(zone: string): number {
  const offset = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (offset === null) return ZONES[zone.toLowerCase()] ?? 0;
  const [, sign, hours, minutes = "0"] = offset;
  const east = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -east : east;
}
