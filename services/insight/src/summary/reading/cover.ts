import type { SummaryLevel } from "../../records/summary.js";
import { endOf, type Span, startOf } from "../../marks/periods.js";

/** Consecutive buckets of one level. */
export interface Run extends Span {
  level: SummaryLevel;
}

const COARSEST_FIRST = ["month", "day", "hour"] as const;

/**
 * The fewest buckets that are a span of whole hours, none coarser than `coarsest`, as runs in order of time. A bucket
 * that is to be counted is replaced by those of the level below.
 */
export function coverOf(
  span: Span,
  coarsest: SummaryLevel,
  isMarked: (level: SummaryLevel, start: number) => boolean,
): Run[] {
  const levels = COARSEST_FIRST.slice(COARSEST_FIRST.indexOf(coarsest));
  const fits = (level: SummaryLevel, at: number) =>
    startOf(level, at) === at && endOf(level, at) <= span.end && !isMarked(level, at);
  const runs: Run[] = [];
  for (let at = span.start; at < span.end;) {
    const level = levels.find((each) => fits(each, at)) ?? "hour";
    const end = endOf(level, at);
    const last = runs.at(-1);
    if (last?.level === level) last.end = end;
    else runs.push({ level, start: at, end });
    at = end;
  }
  return runs;
}
