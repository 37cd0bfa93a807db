import { AppError } from "@hourglass/runtime";
import type { DateFormat } from "./date-format.js";
import { dayInNumbers, readMoment, type DayInNumbers, type Order, type StatedMoment } from "./dates.js";
import type { ImportNotes } from "./import-notes.js";
import { LocalTime } from "./time-zone.js";

/** What the owner of a file states of its times. */
export interface StatedDates {
  readonly dateFormat?: DateFormat | undefined;
  /** Of IANA; of the times without a zone. Default: UTC. */
  readonly timeZone?: string | undefined;
}

/** Where a time stands. */
export interface DateSource {
  /** The format that the source has for itself. */
  readonly format?: DateFormat | undefined;
  /** What a bare number counts there, if the tool that writes it has always one way. */
  readonly bare?: DateFormat | undefined;
  /** Whether its name states that the month comes first, so that this is no guess. */
  readonly isMonthFirst?: boolean;
}

interface Remedy {
  readonly remedy: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The first moment of the year 10000. */
const END_MS = 253_402_300_800_000;
/** The day 0 of spreadsheets, in days since 1970. */
const EXCEL_EPOCH_DAYS = -25_569;
/** The last day of spreadsheets, 31 December 9999. */
const EXCEL_MAX = 2_958_465;

const BARE = /^[+-]?\d+(?:[.,]\d*)?$/;
const YEAR_FIRST = /^\d{4}(?:[-/年]|\d{4}T)/i;
/** Two digits of a year leave more readings than two. */
const GIVE_ORDER = "Years of two digits are read only if date_format states the order: d/m/yyyy or m/d/yyyy.";
const GIVE_MOMENT = "Give a time such as 2026-01-31T23:59:59Z or 1/31/2026 23:59:59.";

/**
 * The times of one file. What a day such as `3/4/2026` means is one question for the whole file: a file in which some
 * days contradict the reading is refused, since the others may be wrong as well.
 */
export class FileDates {
  private readonly local: LocalTime | undefined;
  private readonly unstated = { dots: new UnstatedOrder("day-first"), slashes: new UnstatedOrder("month-first") };
  /** The first time that only a stated format tells. */
  private unclear: { row: number; text: string; remedy: string } | undefined;
  private hasRead = false;

  constructor(
    private readonly notes: ImportNotes,
    private readonly stated: StatedDates = {},
  ) {
    this.local = stated.timeZone === undefined ? undefined : new LocalTime(stated.timeZone);
  }

  /** The format that the file states. */
  get format(): DateFormat | undefined {
    return this.stated.dateFormat;
  }

  /** Reads a moment in the current row, or a day; `remedy`: what to do about a text that is none. */
  read(text: string, source: DateSource = {}): StatedMoment | Remedy {
    const stated = this.statedBy(text.trim(), source);
    if (!("remedy" in stated)) this.hasRead = true;
    return stated;
  }

  /** Milliseconds since the epoch. */
  toUtc({ local, east }: StatedMoment): number {
    if (east !== undefined) return local - east * MINUTE_MS;
    return this.local?.toUtc(local) ?? local;
  }

  /** Call it once all rows are read. Throws AppError `invalid` if the file contradicts how its days would be read. */
  finish(): void {
    for (const order of [this.unstated.slashes, this.unstated.dots]) order.finish(this.notes);
    if (this.unclear !== undefined && !this.hasRead) {
      const { row, text, remedy } = this.unclear;
      throw wrongFormat(`Row ${row} has the time ${text}. ${remedy}`);
    }
  }

  private statedBy(text: string, source: DateSource): StatedMoment | Remedy {
    const isBare = BARE.test(text);
    const format = source.format ?? this.format ?? (isBare ? source.bare : undefined);
    if (format !== undefined) {
      return readIn(format, text) ?? { remedy: `Give a time in the format that is stated: ${format}.` };
    }
    if (isBare) return this.unclearBy(text, giveFormat(text));
    const day = dayInNumbers(text);
    if (day === undefined) return readMoment(text, { isStrict: true }) ?? { remedy: GIVE_MOMENT };
    if (!day.hasCentury) return this.unclearBy(text, GIVE_ORDER);
    const order = day.separator === "." ? this.unstated.dots : this.unstated.slashes;
    const read = order.read({ text, day, row: this.notes.row, isKnown: source.isMonthFirst === true });
    return read ?? { remedy: GIVE_MOMENT };
  }

  private unclearBy(text: string, remedy: string): Remedy {
    this.unclear ??= { row: this.notes.row, text, remedy };
    return { remedy };
  }
}

/** Reads a moment in one format; undefined if it is none. */
function readIn(format: DateFormat, text: string): StatedMoment | undefined {
  switch (format) {
    case "iso":
      return YEAR_FIRST.test(text) ? readMoment(text, { isStrict: true }) : undefined;
    case "d/m/yyyy":
      return readOrdered(text, "day-first");
    case "m/d/yyyy":
      return readOrdered(text, "month-first");
    case "unix":
      return readNumber(text, (seconds) => Math.floor(seconds) * 1000, 0);
    case "unix_ms":
      return readNumber(text, (ms) => Math.floor(ms / 1000) * 1000, 0);
    case "excel":
      return readNumber(text, (days) => {
        const isDay = days >= 1 && days <= EXCEL_MAX + 1;
        return isDay ? Math.round((days + EXCEL_EPOCH_DAYS) * (DAY_MS / 1000)) * 1000 : Infinity;
      });
  }
}

function readOrdered(text: string, order: Order): StatedMoment | undefined {
  return dayInNumbers(text) === undefined ? undefined : readMoment(text, { order, isStrict: true });
}

function readNumber(text: string, toMs: (number: number) => number, east?: number): StatedMoment | undefined {
  const local = BARE.test(text) ? toMs(Number(text.replace(",", "."))) : Infinity;
  return Math.abs(local) < END_MS ? { local, east } : undefined;
}

/** A day in numbers and where it stands. */
interface Place {
  readonly text: string;
  readonly day: DayInNumbers;
  readonly row: number;
  /** Whether it is known which number comes first. */
  readonly isKnown: boolean;
}

/** The days of a file that do not state whether the day or the month comes first. */
class UnstatedOrder {
  private ambiguous: Place | undefined;
  private others = 0;
  private contradicting: Place | undefined;
  private isProven = false;

  constructor(private readonly order: Order) {}

  read(place: Place): StatedMoment | undefined {
    const { text, day, isKnown } = place;
    const read = readMoment(text, { order: this.order, isStrict: true });
    const other = readMoment(text, { order: otherThan(this.order), isStrict: true });
    if (read === undefined) {
      if (other !== undefined) this.contradicting ??= place;
      return undefined;
    }
    if (other === undefined) this.isProven = true;
    else if (day.first !== day.second && !isKnown) {
      if (this.ambiguous === undefined) this.ambiguous = place;
      else this.others++;
    }
    return read;
  }

  finish(notes: ImportNotes): void {
    const { ambiguous, contradicting, order } = this;
    const [here, other] = [FORMAT_OF[order], FORMAT_OF[otherThan(order)]];
    if (contradicting !== undefined) {
      const { row, text } = ambiguous ?? contradicting;
      const otherwise = ambiguous === undefined ? "it is left out" : `it is ${shownDay(text, order)}`;
      throw wrongFormat(
        `Row ${contradicting.row} has ${contradicting.text}, which contradicts ${here}. State date_format: ` +
          `by ${other}, ${text} in row ${row} is ${shownDay(text, otherThan(order))}; by ${here}, ${otherwise}.`,
      );
    }
    if (ambiguous === undefined || this.isProven) return;
    const { row, text } = ambiguous;
    const more = ["", " So is another."][this.others] ?? ` So are ${this.others} others.`;
    notes.add(
      `Row ${row} has ${text}, which is read as ${shownDay(text, order)} (${here}).${more} ` +
        `If it is ${shownDay(text, otherThan(order))}, state date_format=${other}.`,
    );
  }
}

const FORMAT_OF: Readonly<Record<Order, DateFormat>> = { "day-first": "d/m/yyyy", "month-first": "m/d/yyyy" };

function otherThan(order: Order): Order {
  return order === "day-first" ? "month-first" : "day-first";
}

function shownDay(text: string, order: Order): string {
  const read = readMoment(text, { order, isStrict: true });
  return read === undefined ? "no day" : dayInWords(read.local);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

function dayInWords(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}`;
}

/** Years of which people import postings. */
const LIKELY = { from: Date.UTC(1990, 0), to: Date.UTC(2100, 0) };

/** What a bare number may count. */
function giveFormat(text: string): string {
  const readings = (["unix", "unix_ms", "excel"] as const).flatMap((format) => {
    const ms = readIn(format, text)?.local;
    return ms !== undefined && ms >= LIKELY.from && ms < LIKELY.to ? [`${format} (${dayInWords(ms)})`] : [];
  });
  const listed = readings.length === 0 ? "unix, unix_ms or excel" : readings.join(" or ");
  return `A bare number is a time only if date_format states what it counts: ${listed}.`;
}

function wrongFormat(message: string): AppError {
  return AppError.invalid([{ field: "date_format", message }]);
}
