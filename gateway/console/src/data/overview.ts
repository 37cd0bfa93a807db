import type { components } from "@hourglass/client";
import { HOURGLASS, type Dimension } from "./hourglass.js";
import { DAY_MS, isUnfinished } from "./periods.js";
import type { Breakdown, Spike, Summary } from "./summary.js";

type Schemas = components["schemas"];
type Point = Schemas["SummaryPoint"];
type Coverage = Schemas["Coverage"];
export type GapReason = Schemas["GapReason"];

/** The postings with a value; null: those without one. */
export function countOf({ values }: Breakdown, value: string | null): number {
  return values.find((entry) => entry.value === value)?.count ?? 0;
}

/**
 * How a step is to be read. `unfinished`: its time is not over; `partly`: possibly not all of it was collected; `missing`:
 * nothing is known of it, which is not zero; `future`: it has not begun.
 */
export type StepState = "complete" | "partly" | "unfinished" | "missing" | "future";

export function stateOf(
  { start, end, completeness, postings }: Pick<Point, "start" | "end" | "completeness" | "postings">,
  now: number,
): StepState {
  if (Date.parse(start) > now) return "future";
  if (isUnfinished({ end }, now)) return "unfinished";
  if (completeness === "complete") return "complete";
  return completeness === "unknown" && postings === 0 ? "missing" : "partly";
}

/** Steps that follow each other and have no data, and why. */
export interface Gap {
  /** Indexes; both are included. */
  readonly first: number;
  readonly last: number;
  readonly reasons: readonly GapReason[];
}

/** The runs of steps of which nothing is known, each with the reasons that platforms give for it. */
export function gapsOf({ series, coverage }: Pick<Summary, "series" | "coverage">, now: number): Gap[] {
  const gaps: Gap[] = [];
  for (let first = 0; first < series.length; first++) {
    if (!isMissing(series[first], now)) continue;
    let last = first;
    while (isMissing(series[last + 1], now)) last++;
    const start = Date.parse(series[first]?.start ?? "");
    const end = Date.parse(series[last]?.end ?? "");
    gaps.push({ first, last, reasons: reasonsIn(coverage, start, end) });
    first = last;
  }
  return gaps;
}

function isMissing(point: Point | undefined, now: number): boolean {
  return point !== undefined && stateOf(point, now) === "missing";
}

/** Why a span was not collected completely, the longest reasons first. */
export function reasonsIn({ platforms }: Coverage, start: number, end: number): GapReason[] {
  const lasted = new Map<GapReason, number>();
  for (const { spans } of platforms) {
    for (const span of spans) {
      const overlap = Math.min(end, Date.parse(span.end)) - Math.max(start, Date.parse(span.start));
      if (overlap <= 0) continue;
      for (const reason of span.reasons) lasted.set(reason, (lasted.get(reason) ?? 0) + overlap);
    }
  }
  return [...lasted].sort(([, one], [, other]) => other - one).map(([reason]) => reason);
}

/** How many days were collected completely from all platforms that were ever collected: those that "usual" is known from. */
export function completeDays({ platforms }: Coverage, now: number, since = 0): number {
  const collected = platforms.filter(({ spans }) => spans.some(({ completeness }) => completeness !== "unknown"));
  if (collected.length === 0) return 0;
  const edges = collected.flatMap(({ spans }) =>
    spans.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]),
  );
  const [first, last] = [Math.max(since, Math.min(...edges)), Math.min(now, Math.max(...edges))];
  let count = 0;
  for (let day = Math.ceil(first / DAY_MS) * DAY_MS; day + DAY_MS <= last; day += DAY_MS) {
    if (collected.every(({ spans }) => isComplete(spans, day, day + DAY_MS))) count++;
  }
  return count;
}

function isComplete(spans: readonly Schemas["CoverageSpan"][], start: number, end: number): boolean {
  const overlapping = spans.filter((span) => Date.parse(span.start) < end && Date.parse(span.end) > start);
  return overlapping.length > 0 && overlapping.every(({ completeness }) => completeness === "complete");
}

/** The emotions of one dimension in each step: negative ones go down, positive ones up. */
export interface DimensionSeries {
  readonly dimension: Dimension;
  /** By strength in the order of the Hourglass: strong −, mild −, mild +, strong +; each has a count for each step. */
  readonly strengths: readonly (readonly number[])[];
}

export function hourglassSeries(series: readonly Pick<Point, "sentiments">[]): DimensionSeries[] {
  const counts = series.map(({ sentiments }) => new Map(sentiments.values.map(({ value, count }) => [value, count])));
  return HOURGLASS.map(({ dimension, emotions }) => ({
    dimension,
    strengths: emotions.map((emotion) => counts.map((step) => step.get(emotion) ?? 0)),
  }));
}

/** What a spike is called in an address: its first day or hour, then platform and kind where they are not the usual ones. */
export function spikeKey({ start, platform, metric }: Pick<Spike, "start" | "platform" | "metric">): string {
  const at = start.slice(11, 13) === "00" ? start.slice(0, 10) : start.slice(0, 13);
  return [at, platform ?? "", metric === "postings" ? "" : metric].join(",").replace(/,+$/, "");
}

/** The spike that an address names. */
export function spikeOf(spikes: readonly Spike[], key: string | null): Spike | undefined {
  return key === null ? undefined : spikes.find((spike) => spikeKey(spike) === key);
}

/** The value that rose most in a spike, of any list: by how much more of the postings have it than usual. */
export function roseMost({ topics, hashtags, domains }: Spike):
  | {
      readonly kind: "topic" | "tag" | "domain";
      readonly value: string;
      readonly share: number;
      readonly usual: number;
    }
  | undefined {
  const all = [
    ...hashtags.map((entry) => ({ ...entry, kind: "tag" as const })),
    ...topics.map((entry) => ({ ...entry, kind: "topic" as const })),
    ...domains.map((entry) => ({ ...entry, kind: "domain" as const })),
  ];
  const most = all.sort((one, other) => other.share - other.usual_share - (one.share - one.usual_share))[0];
  return most === undefined
    ? undefined
    : { kind: most.kind, value: most.value, share: most.share, usual: most.usual_share };
}
