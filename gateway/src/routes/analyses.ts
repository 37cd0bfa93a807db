import { getOption } from "@bufbuild/protobuf";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult, type ResultForm } from "@hourglass/proto/options/v1/analyses";
import { enumSpellings } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type * as z from "zod";
import { enumeration } from "./schema.js";

/** What the contract says of an analysis. */
export interface AnalysisKind {
  readonly type: string;
  /** Name of the result; the schemas of the analysis are named after it. */
  readonly name: string;
  readonly form: ResultForm;
  /** Every label of a classifier. */
  readonly labels: readonly string[];
}

export const ANALYSIS_TYPE = new Spelling(AnalysisTypeSchema);

const SPELLINGS = enumSpellings(AnalysisTypeSchema);

/** Every analysis, in the order of the contract. */
export const ANALYSES: readonly AnalysisKind[] = AnalysisTypeSchema.values.flatMap((value) => {
  const type = SPELLINGS.get(value.number);
  return type === undefined ? [] : [{ ...getOption(value, analysisResult), type }];
});

const LABELS = new Map(
  ANALYSES.filter(({ labels }) => labels.length > 0).map(({ type, name, labels }) => [
    type,
    enumeration(name, labels, `A label of ${type}.`),
  ]),
);

/** The labels of a classifier, which results and postings share. Throws for an analysis without labels. */
export function labelOf(type: string): z.ZodType<string, string> {
  const found = LABELS.get(type);
  if (found === undefined) throw new Error(`proto/ lists no labels of ${type}.`);
  return found;
}
