import { momentOf, type Moment } from "@hourglass/runtime/json";

/** Ways to write a moment in a cell. */
export const DATE_FORMATS = ["iso", "unix", "m/d/yyyy"] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** Reads a moment; without a format, the one that the cell looks like. Undefined if it is none. */
export function readCellDate(cell: string, format = formatOf(cell)): Moment | undefined {
  return READERS[format](cell.trim());
}

/** The formats have no text in common. */
function formatOf(cell: string): DateFormat {
  if (cell.includes("/")) return "m/d/yyyy";
  return /^\s*-?\d+(?:\.\d*)?\s*$/.test(cell) ? "unix" : "iso";
}

const READERS: Readonly<Record<DateFormat, (text: string) => Moment | undefined>> = {
  iso: readIso,
  unix: readUnix,
  "m/d/yyyy": readMonthFirst,
};

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** ISO 8601, with a space instead of the T as well; without a zone it is UTC. */
function readIso(text: string): Moment | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, ...clock] = numbersIn(parts);
  const offset = secondsOfZone(parts[7]);
  const local = momentOf([year, month, day], clock);
  if (local === undefined || offset === undefined) return undefined;
  return { seconds: local.seconds - BigInt(offset), nanos: 0 };
}

function secondsOfZone(zone: string | undefined): number | undefined {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "");
  if (parts === null) return 0;
  const [hours, minutes] = [Number(parts[2]), Number(parts[3])];
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (parts[1] === "-" ? -60 : 60);
}

/** The first second of the year 10000. */
const UNIX_END = 253_402_300_800;

/** Seconds since 1970; fractions are dropped. */
function readUnix(text: string): Moment | undefined {
  const seconds = /^-?\d{1,12}(?:\.\d*)?$/.test(text) ? Math.floor(Number(text)) : Infinity;
  return Math.abs(seconds) < UNIX_END ? { seconds: BigInt(seconds), nanos: 0 } : undefined;
}

const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/;

/** `M/D/YYYY`, with or without a time of day, in UTC. */
function readMonthFirst(text: string): Moment | undefined {
  const parts = MONTH_FIRST.exec(text);
  if (parts === null) return undefined;
  const [month, day, year, ...clock] = numbersIn(parts);
  return momentOf([year, month, day], clock);
}

/** The numbers of a date and a time of day; an absent time is midnight. */
function numbersIn(parts: RegExpExecArray): [number, number, number, number, number, number] {
  const number = (index: number) => Number(parts[index] ?? 0);
  return [number(1), number(2), number(3), number(4), number(5), number(6)];
}
