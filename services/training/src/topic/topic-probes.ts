import { readFileSync } from "node:fs";
import { analyzeInline, type Engine, type Topic } from "@hourglass/analysis";
import { type Evaluation, type Metric, shareMetric } from "../report.js";

/** Topics of a text that matter to a reader. */
const FIRST = 3;

/** The greatest share of texts whose first topics are not those expected. */
const LIMITS: Readonly<Record<Engine, number>> = { accurate: 0.15, fast: 0.3, models: 1 };

/** A line of the set. `services/training/probes/README.md` says what each field means. */
export interface TopicProbe {
  id: string;
  group: string;
  text: string;
  topics?: readonly string[];
  absent?: readonly string[];
}

/** Reads the set. */
export const readTopicProbes = (): TopicProbe[] =>
  readFileSync(new URL("../../probes/topics.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as TopicProbe);

/** The share of hand-written texts whose topics an engine misses or spoils, by group. */
export const evaluateTopicProbes = async (engine: Engine): Promise<Evaluation> => {
  const probes = readTopicProbes();
  const entries = await analyzeInline(
    probes.map(({ text }) => text),
    ["topic"],
    { engines: { topic: engine } },
  );
  const outcomes = probes.map((probe, at) => {
    const topics = entries[at]?.results.topic;
    if (topics === undefined) throw new Error(`${probe.id}: ${entries[at]?.errors.topic ?? "no result"}`);
    return { probe, faults: faultsOf(probe, topics) };
  });
  const failed = outcomes.filter(({ faults }) => faults.length > 0);
  const groups = [...new Set(probes.map(({ group }) => group))];
  const rate = (name: string, group?: string, limit?: number): Metric => {
    const own = outcomes.filter(({ probe }) => group === undefined || probe.group === group);
    const faulty = own.filter(({ faults }) => faults.length > 0).length;
    return shareMetric(name, faulty, own.length, { better: "lower", ...(limit === undefined ? {} : { limit }) });
  };
  return {
    analysis: "topic probes, share of failures",
    method: engine,
    metrics: [rate("all", undefined, LIMITS[engine]), ...groups.map((group) => rate(`  ${group}`, group))],
    table: failed.map(({ probe, faults }) => `${probe.id} ${faults.join("; ")}`),
  };
};

/** What is wrong with the topics of a text. */
export const faultsOf = ({ topics = [], absent = [] }: TopicProbe, found: readonly Topic[]): string[] => {
  const first = found.slice(0, FIRST);
  const missing = topics.filter((wanted) => !first.some((topic) => isWanted(wanted, topic)));
  const spoiled = absent.filter((unwanted) => found.some((topic) => isWanted(unwanted, topic)));
  return [...missing.map((wanted) => `no ${wanted}`), ...spoiled.map((unwanted) => `has ${unwanted}`)];
};

/** Whether a topic is `value`, or `value/TYPE` with one of the types that `|` separates. */
const isWanted = (wanted: string, { value, sub_type: type }: Topic): boolean => {
  const [words = "", types] = wanted.split("/");
  return value === words && (types === undefined || types.split("|").includes(type ?? ""));
};
