import { CompletenessTimeline, readCoverage } from "../../coverage.js";
import type { Collections } from "../../records/collections.js";
import type { PlatformName } from "../../records/insight.js";
import type { SummaryPart } from "../../records/summary.js";
import { startOf } from "../../marks/periods.js";
import { Buckets, type BucketsDeps } from "../reading/buckets.js";
import type { Question } from "../reading/read-request.js";
import { stepOf, stepsOf } from "../reading/steps.js";
import { explain, type Explanation } from "./explain.js";
import { HISTORY_MS, type Judgement, judgeSteps, type Metric, type Step, type Unusual } from "./judge-steps.js";

export interface SpikesDeps extends BucketsDeps {
  collections: BucketsDeps["collections"] & Pick<Collections, "searches">;
}

/** What was judged, and what was found. */
export interface SpikeReport {
  judgements: {
    /** Undefined: all together. */
    platform: PlatformName | undefined;
    metric: Metric;
    status: Judgement["status"] | "filtered";
    judged: number;
  }[];
  /** Oldest first. */
  spikes: Spike[];
}

export interface Spike extends Unusual, Explanation {
  platform: PlatformName | undefined;
  metric: Metric;
  /** End of its step. */
  end: number;
}

const SPIKES_MAX = 10;
const METRICS: readonly Metric[] = ["postings", "negative_share"];

/** The series of one platform or of all. */
interface Line {
  platform: PlatformName | undefined;
  steps: Step[];
}

/** Judges the hours or days of a summary by those before them, and explains the strongest spikes. */
export async function findSpikes(deps: SpikesDeps, question: Question): Promise<SpikeReport> {
  const unit = question.interval === "hour" ? "hour" : "day";
  const from = question.span.start;
  const wider = {
    ...question,
    interval: unit,
    span: { ...question.span, start: startOf("day", from) - HISTORY_MS[unit] },
  } as const;
  if (question.fits !== undefined) return { judgements: METRICS.map(notJudged), spikes: [] };
  const buckets = await Buckets.open(deps, question.insight, wider.span);
  const results = (await readLines(deps, buckets, wider)).flatMap(({ platform, steps }) =>
    METRICS.map((metric) => ({ platform, metric, ...judgeSteps(steps, { from, unit, metric }) })),
  );
  const found = results.flatMap(({ platform, metric, unusual }) =>
    unusual.map((each) => ({ ...each, platform, metric })),
  );
  const strongest = found.sort((one, other) => other.score - one.score).slice(0, SPIKES_MAX);
  const spikes: Spike[] = [];
  for (const each of strongest.sort((one, other) => one.step.start - other.step.start)) {
    const span = stepsOf({ start: each.step.start, end: wider.span.end }, unit)[0] ?? wider.span;
    const platforms = each.platform === undefined ? question.platforms : new Set([each.platform]);
    const where = { insightId: question.insight.id, span, platforms, metric: each.metric };
    spikes.push({ ...each, end: span.end, ...(await explain(buckets, deps.collections, where)) });
  }
  return { judgements: results, spikes };
}

function notJudged(metric: Metric): SpikeReport["judgements"][number] {
  return { platform: undefined, metric, status: "filtered", judged: 0 };
}

/** The series of all platforms together, and of each if there are several. */
async function readLines(
  deps: SpikesDeps,
  buckets: Buckets,
  question: Question & { interval: "hour" | "day" },
): Promise<Line[]> {
  const { span, interval, insight } = question;
  const wanted = insight.query.platforms.filter((platform) => question.platforms?.has(platform) ?? true);
  const steps = stepsOf(span, interval);
  const lines = new Map(
    [undefined, ...(wanted.length > 1 ? wanted : [])].map((platform) => [
      platform,
      steps.map(({ start }) => emptyStep(start)),
    ]),
  );
  const seen = new Set<PlatformName>();
  for await (const { start, parts } of buckets.read(span, interval)) {
    for (const part of parts) {
      if (!(question.platforms?.has(part.platform) ?? true)) continue;
      seen.add(part.platform);
      for (const platform of [undefined, part.platform]) {
        const step = lines.get(platform)?.[stepOf(start, span, interval)];
        if (step !== undefined) addPart(step, part);
      }
    }
  }
  const coverage = await readCoverage({ searches: deps.collections.searches, now: deps.now }, insight, span);
  const completeness = new CompletenessTimeline(
    coverage.filter(({ platform }) => wanted.includes(platform)),
    seen,
  );
  return [...lines].map(([platform, all]) => ({
    platform,
    steps: all.map((step, index) => ({
      ...step,
      isComplete: completeness.during(steps[index] ?? span, platform) === "complete",
    })),
  }));
}

function emptyStep(start: number): Step {
  return { start, postings: 0, rated: 0, negative: 0, isComplete: false };
}

function addPart(step: Step, { postings, properties: { polarity } }: SummaryPart): void {
  step.postings += postings;
  for (const [value, count] of polarity) {
    if (value !== "") step.rated += count;
    if (value === "negative") step.negative += count;
  }
}
