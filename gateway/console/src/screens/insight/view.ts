import { addressOf, narrowedTo, onlyFilters, withPeriod, withSingle, type ListFilter } from "../../data/filters.js";
import type { Period, Interval } from "../../data/periods.js";
import { day, fullDay, hour, month, period as periodText } from "../../words/times.js";

/** Where the numbers of an overview lead. */
export interface Links {
  /** The postings of a value, of other days, or of all that is shown. */
  readonly postings: (narrowing?: {
    readonly name?: ListFilter;
    readonly value?: string;
    readonly period?: Period;
  }) => string;
  /** This overview with another period. */
  readonly overview: (period: Period) => string;
}

/** Every number opens: links to the postings behind it, with the filters of the address. */
export function linksOf(id: number, parameters: URLSearchParams, shown: Period): Links {
  const kept = withSingle(withPeriod(onlyFilters(parameters), shown), "interval", undefined);
  return {
    postings: ({ name, value, period = shown } = {}) => {
      const narrowed = name === undefined || value === undefined ? kept : narrowedTo(kept, name, value);
      return addressOf(`/insights/${id}/postings`, withPeriod(narrowed, period));
    },
    overview: (period) => addressOf(`/insights/${id}`, withPeriod(onlyFilters(parameters), period)),
  };
}

/** A step as it is said in a sentence; its days are days in UTC. */
export function stepName(step: { readonly start: string; readonly end: string }, interval: Interval): string {
  const [start, end] = [new Date(step.start), new Date(step.end)];
  if (interval === "hour") return hour(start);
  if (interval === "day") return fullDay(start);
  if (interval === "month") return month(start);
  return periodText(start.getTime(), end.getTime());
}

/** A step as it is written at an axis. */
export function tickName(start: string, interval: Interval): string {
  const at = new Date(start);
  if (interval === "month") return month(at);
  if (interval === "hour" && at.getUTCHours() !== 0) return `${String(at.getUTCHours()).padStart(2, "0")}:00`;
  return day(at);
}
