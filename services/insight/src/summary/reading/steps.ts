import { DAY_MS, HOUR_MS, type Span } from "../../marks/periods.js";

export type Interval = "hour" | "day" | "week";

const STEP_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** The epoch is a Thursday, weeks begin on Mondays. */
const OFFSET_MS: Readonly<Record<Interval, number>> = { hour: 0, day: 0, week: 4 * DAY_MS };

/** The steps of a series, in order; the first and the last one are cut to the span. */
export function stepsOf({ start, end }: Span, interval: Interval): Span[] {
  const steps: Span[] = [];
  for (let at = start; at < end;) {
    const next = Math.min(end, startOfStep(at, interval) + STEP_MS[interval]);
    steps.push({ start: at, end: next });
    at = next;
  }
  return steps;
}

/** Number of the step of a span in which a time lies. */
export function stepOf(time: number, span: Span, interval: Interval): number {
  return (startOfStep(time, interval) - startOfStep(span.start, interval)) / STEP_MS[interval];
}

function startOfStep(time: number, interval: Interval): number {
  const [length, offset] = [STEP_MS[interval], OFFSET_MS[interval]];
  return Math.floor((time - offset) / length) * length + offset;
}
