import { openStorage, reserveOf } from "@hourglass/runtime";
import type { Administration, Opening, OptionValues, Patient } from "../administration.js";
import { escapeField, jsonOf } from "../output.js";
import { type Examination, examineAll, type Finding, rowOf, summaryOf } from "./findings.js";
import { examineDisk, examineKeys, examineModels, examineVersions } from "./holdings.js";
import { examineQueues, examineSearches, examineWaiting } from "./work.js";

/** Opens the store for the doctor. */
export function openPatient({ config, log, lifecycle }: Opening): Promise<Patient> {
  return openStorage({ config, log, lifecycle, parts: ["store", "contents"] });
}

/** Looks at everything that an operator should know, beside running servers or without them, and changes nothing. */
export async function examine(administration: Administration, { json }: OptionValues): Promise<string[]> {
  const findings = await findingsOf(administration, Date.now);
  if (findings.some(({ verdict }) => verdict === "bad")) administration.markBad();
  return json === undefined ? pageOf(findings) : [jsonOf(findings.map(rowOf))];
}

/** All findings, in the order of a page. `now` is in milliseconds since the epoch. */
export async function findingsOf(
  { config, queue, patient: open }: Pick<Administration, "config" | "queue" | "patient">,
  now: () => number,
): Promise<Finding[]> {
  // Opening the store fills the reserve again.
  const reserve = await reserveOf(config.dataDir);
  let opened: Promise<Patient> | undefined;
  const patient = () => (opened ??= open());
  const examinations: Examination[] = [
    { about: "data", examine: async () => examineVersions((await patient()).contents) },
    { about: "disk", examine: () => examineDisk(config, reserve) },
    { about: "queues", examine: async () => examineQueues(await queue()) },
  ];
  const ofStore: Examination[] = [
    { about: "waiting work", examine: async () => examineWaiting((await patient()).store, now) },
    { about: "searches", examine: async () => examineSearches((await patient()).store, now) },
    { about: "API keys", examine: async () => examineKeys((await patient()).store, now()) },
  ];
  const findings = await examineAll(examinations);
  // Without the store, each of these would only repeat why.
  const isReadable = !findings.some(({ about, verdict }) => about === "data" && verdict === "bad");
  const models = { about: "models", examine: () => examineModels(config) };
  return [...findings, ...(await examineAll(isReadable ? [...ofStore, models] : [models]))];
}

/** One line per finding, with what to do next below it; then how many there are. */
function pageOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ verdict, about, found, next }) => [
    `${verdict.padEnd(4)}  ${about.padEnd(width)}  ${escapeField(found)}`,
    ...(next === undefined ? [] : [`      ${"".padEnd(width)}  ${next}`]),
  ]);
  return [...lines, "", summaryOf(findings)];
}
