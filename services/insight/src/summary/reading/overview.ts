import { Counts, type Lists, newLists } from "../counting/tally.js";
import type { Span } from "../../marks/periods.js";
import type { Question } from "./read-request.js";
import { stepsOf } from "./steps.js";

/** Values of a list that are held while buckets are merged. */
const HELD_MAX = 200_000;

/** What a summary counts. */
export interface Overview {
  totals: Counts;
  series: { step: Span; counts: Counts }[];
  lists: Lists;
}

export function emptyOverview({ span, interval }: Pick<Question, "span" | "interval">): Overview {
  return {
    totals: new Counts(),
    series: stepsOf(span, interval).map((step) => ({ step, counts: new Counts() })),
    lists: newLists(HELD_MAX),
  };
}
