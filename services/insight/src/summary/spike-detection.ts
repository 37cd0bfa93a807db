import { DAY_MS, HOUR_MS, startOf } from "./periods.js";

export type Metric = "postings" | "negative_share";

/** One hour or day of a series. */
export interface Step {
  /** Milliseconds since the epoch. */
  start: number;
  postings: number;
  /** Postings that are positive, neutral or negative, and of these the negative ones. */
  rated: number;
  negative: number;
  /** Whether all of it was collected, by one query. */
  isComplete: boolean;
  /** When its query began, in milliseconds since the epoch: earlier steps are not compared with it. Absent: never changed. */
  askedSince?: number;
}

export interface Unusual {
  step: Step;
  expected: number;
  seen: number;
  score: number;
}

export interface Detection {
  /** `query_changed`: there is not enough history because of that. */
  status: "judged" | "not_enough_history" | "query_changed" | "incomplete";
  /** Steps that were judged. */
  judged: number;
  /** What is missing; absent if steps were judged. A phrase that follows "It needs". */
  needs?: string;
  unusual: Unusual[];
}

/** Time before a step that says what is usual. */
export const HISTORY_MS = { hour: 28 * DAY_MS, day: 56 * DAY_MS } as const;
const HISTORY_DAYS_MIN = 14;
/** Robust standard deviations; a normal distribution exceeds it once in 30,000 steps. */
const SCORE_MIN = 4;
/** Below, a few postings more would be a spike. */
const POSTINGS_MIN = 10;
const RISE_MIN = 1.5;
const RATED_MIN = 30;
const SHARE_RISE_MIN = 0.1;

/** Judges the steps from a time on by the complete ones before them. The steps are in order of time. */
export function detectSpikes(
  steps: readonly Step[],
  { from, unit, metric }: { from: number; unit: "hour" | "day"; metric: Metric },
): Detection {
  const { sampleOf } = METRICS[metric];
  const samples = steps.flatMap((step) => (step.isComplete ? (sampleOf(step) ?? []) : []));
  const wanted = steps.filter(({ start, isComplete }) => start >= from && isComplete);
  const unusual: Unusual[] = [];
  let [judged, historyDays] = [0, 0];
  let day = { start: NaN, since: NaN, days: 0, season: undefined as Season | undefined };
  for (const step of wanted) {
    const start = startOf("day", step.start);
    const since = Math.max(start - HISTORY_MS[unit], step.askedSince ?? -Infinity);
    if (start !== day.start || since !== day.since) {
      day = { start, since, ...historyIn(samples, { since, end: start }, unit) };
    }
    const sample = sampleOf(step);
    if (sample !== undefined) historyDays = Math.max(historyDays, day.days);
    if (sample === undefined || day.season?.knows(step.start) !== true) continue;
    judged += 1;
    const found = compare(step, { sample, season: day.season, metric });
    if (found !== undefined) unusual.push(found);
  }
  if (judged > 0) return { status: "judged", judged, unusual };
  const status = statusOf(wanted, unit);
  const canBeSampled = wanted.some((step) => sampleOf(step) !== undefined);
  return { status, judged, needs: needsOf(status, { unit, metric, canBeSampled, historyDays }), unusual };
}

/** The complete days before a step, and what is usual on them, unless they are too few. */
function historyIn(
  samples: readonly Sample[],
  { since, end }: { since: number; end: number },
  unit: "hour" | "day",
): { days: number; season: Season | undefined } {
  const before = samples.filter(({ at }) => at < end && at >= since);
  const days = new Set(before.map(({ at }) => startOf("day", at))).size;
  return { days, season: days < HISTORY_DAYS_MIN ? undefined : new Season(before, unit) };
}

function compare(
  step: Step,
  { sample, season, metric }: { sample: Sample; season: Season; metric: Metric },
): Unusual | undefined {
  const { seenOf, fromValue, isRise } = METRICS[metric];
  const [seen, expected, score] = [seenOf(step), fromValue(season.usual(step.start)), season.score(sample)];
  return score >= SCORE_MIN && isRise(seen, expected) ? { step, expected, seen, score } : undefined;
}

type NotJudged = Exclude<Detection["status"], "judged">;

function statusOf(complete: readonly Step[], unit: "hour" | "day"): NotJudged {
  if (complete.length === 0) return "incomplete";
  const isCut = ({ start, askedSince = -Infinity }: Step) => askedSince > startOf("day", start) - HISTORY_MS[unit];
  return complete.some(isCut) ? "query_changed" : "not_enough_history";
}

function needsOf(
  status: NotJudged,
  found: { unit: "hour" | "day"; metric: Metric; canBeSampled: boolean; historyDays: number },
): string {
  const { unit, metric, canBeSampled, historyDays } = found;
  const each = metric === "postings" ? "" : ` with at least ${RATED_MIN} postings that have a polarity`;
  if (status === "incomplete")
    return `one complete ${unit}: one that is over, and was collected or imported as complete`;
  if (!canBeSampled) return `one complete ${unit}${each}`;
  if (historyDays >= HISTORY_DAYS_MIN) return `complete ${unit}s${each} on the same weekdays before`;
  const from = status === "query_changed" ? " since the query was changed" : "";
  return `${HISTORY_DAYS_MIN} complete days${each} before the ${unit}${from}; there are ${historyDays}`;
}

interface MetricRules {
  /** On a scale on which chance varies all values alike; undefined if there are too few postings. */
  sampleOf: (step: Step) => Sample | undefined;
  fromValue: (value: number) => number;
  seenOf: (step: Step) => number;
  isRise: (seen: number, expected: number) => boolean;
}

/** Anscombe's transformations of counts and of shares. */
const METRICS: Readonly<Record<Metric, MetricRules>> = {
  postings: {
    sampleOf: ({ start, postings }) => ({ at: start, value: 2 * Math.sqrt(postings + 3 / 8), weight: 1 }),
    fromValue: (value) => Math.max(0, (value / 2) ** 2 - 3 / 8),
    seenOf: ({ postings }) => postings,
    isRise: (seen, expected) => seen >= POSTINGS_MIN && seen >= RISE_MIN * expected,
  },
  negative_share: {
    sampleOf: ({ start, rated, negative }) => {
      if (rated < RATED_MIN) return undefined;
      const value = Math.asin(Math.sqrt((negative + 3 / 8) / (rated + 3 / 4)));
      return { at: start, value, weight: 2 * Math.sqrt(rated + 1 / 2) };
    },
    fromValue: (value) => Math.sin(value) ** 2,
    seenOf: ({ rated, negative }) => negative / rated,
    isRise: (seen, expected) => seen >= expected + SHARE_RISE_MIN,
  },
};

/** A value whose standard deviation would be 1 / `weight` if only chance varied it. */
interface Sample {
  /** Start of its step, in milliseconds since the epoch. */
  at: number;
  value: number;
  weight: number;
}

/** Rounds in which the effects of hours and weekdays are separated. */
const ROUNDS = 2;

/**
 * What is usual at each hour and weekday: medians, so that earlier spikes do not change it, as in seasonal hybrid ESD
 * (Hochenbaum, Vallis, Kejariwal 2017, "Automatic Anomaly Detection in the Cloud Via Statistical Learning").
 */
class Season {
  private readonly level: number;
  private readonly effects: { keyOf: (at: number) => number; of: Map<number, number> }[];
  private readonly center: number;
  private readonly deviation: number;

  constructor(samples: readonly Sample[], unit: "hour" | "day") {
    const keys = unit === "hour" ? [hourOf, weekdayOf] : [weekdayOf];
    this.effects = keys.map((keyOf) => ({ keyOf, of: new Map<number, number>() }));
    this.level = median(samples.map(({ value }) => value));
    for (let round = 0; round < ROUNDS; round++) for (const effect of this.effects) this.fit(effect, samples);
    const rest = samples.map((sample) => (sample.value - this.usual(sample.at)) * sample.weight);
    const { center, deviation } = spreadOf(rest);
    this.center = center;
    // What the effects have taken up is missing in the rest. Counts vary at least by chance.
    const fitted = this.effects.reduce((sum, { of }) => sum + of.size, 0);
    const freedom = Math.max(1, samples.length - fitted);
    this.deviation = Math.max(1, deviation * Math.sqrt(samples.length / freedom));
  }

  /** Whether there were samples at this hour and on this weekday. */
  knows(at: number): boolean {
    return this.effects.every(({ keyOf, of }) => of.has(keyOf(at)));
  }

  usual(at: number): number {
    return this.effects.reduce((sum, { keyOf, of }) => sum + (of.get(keyOf(at)) ?? 0), this.level);
  }

  /** Distance from what is usual, in robust standard deviations. */
  score({ at, value, weight }: Sample): number {
    return ((value - this.usual(at)) * weight - this.center) / this.deviation;
  }

  private fit({ keyOf, of }: (typeof this.effects)[number], samples: readonly Sample[]): void {
    const rests = new Map<number, number[]>();
    for (const { at, value } of samples) {
      const key = keyOf(at);
      const rest = value - this.usual(at) + (of.get(key) ?? 0);
      const others = rests.get(key);
      if (others === undefined) rests.set(key, [rest]);
      else others.push(rest);
    }
    for (const [key, values] of rests) of.set(key, median(values));
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) % 24;
}

function weekdayOf(at: number): number {
  return Math.floor(at / DAY_MS) % 7;
}

/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const TO_DEVIATION = 1.4826;

/** The median; NaN of nothing. */
function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Median and robust standard deviation. */
function spreadOf(values: readonly number[]): { center: number; deviation: number } {
  const center = median(values);
  return { center, deviation: TO_DEVIATION * median(values.map((value) => Math.abs(value - center))) };
}
