import { AppError } from "@hourglass/runtime";
import type { Row } from "../output.js";

/** `ok`: nothing to do; `look`: something that an operator should know; `bad`: something does not work. */
export type Verdict = "ok" | "look" | "bad";

/** One thing that the doctor has looked at. */
export interface Finding {
  verdict: Verdict;
  /** What it is about: `queue operation.run`, `key 7`. */
  about: string;
  /** What was found: a clause without a full stop. */
  found: string;
  /** One sentence that says what to do next; none where all is well. */
  next?: string;
}

/** A part of the examination. */
export interface Examination {
  /** What it is about, where it cannot be made at all. */
  about: string;
  examine(): Promise<readonly Finding[]>;
}

/** Makes all examinations, one after the other; one that fails is a bad finding, and the others are made all the same. */
export async function examineAll(examinations: readonly Examination[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const examination of examinations) {
    try {
      findings.push(...(await examination.examine()));
    } catch (error) {
      const { message } = AppError.from(error);
      const next = "Remove the cause that the message names, then run the doctor again.";
      findings.push({ verdict: "bad", about: examination.about, found: `could not be looked at: ${message}`, next });
    }
  }
  return findings;
}

/** A finding as a row of `--json`. */
export function rowOf({ verdict, about, found, next }: Finding): Row {
  return [
    ["verdict", verdict],
    ["about", about],
    ["found", found],
    ["next", next ?? null],
  ];
}

/** How many of them there are, the worst first: `1 bad, 2 to look at, 14 ok`. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  return `${count("bad")} bad, ${count("look")} to look at, ${count("ok")} ok`;
}

const SECOND_MS = 1000;
const UNITS = [
  [24 * 60 * 60 * SECOND_MS, "day"],
  [60 * 60 * SECOND_MS, "hour"],
  [60 * SECOND_MS, "minute"],
  [SECOND_MS, "second"],
] as const;

/** A span of time in its largest unit, rounded down: `3 hours`. */
export function spanOf(ms: number): string {
  const [unitMs, name] = UNITS.find(([size]) => ms >= size) ?? [SECOND_MS, "second"];
  const count = Math.floor(Math.max(0, ms) / unitMs);
  return `${count} ${count === 1 ? name : `${name}s`}`;
}
