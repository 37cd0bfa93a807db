import { getOption } from "@bufbuild/protobuf";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult, ResultForm } from "@hourglass/proto/options/v1/analyses";
import { enumSpellings } from "@hourglass/runtime";
import { enumeration, type Schema } from "../schema.js";

/** What the contract says of the results of an analysis. */
interface AnalysisDoc {
  readonly type: string;
  /** Name of the result; the schemas of the analysis are named after it. */
  readonly name: string;
  readonly form: ResultForm;
  /** Every label of a classifier. */
  readonly labels: readonly string[];
}

const SPELLINGS = enumSpellings(AnalysisTypeSchema);

/** Every analysis, in the order of the contract. */
export const ANALYSES: readonly AnalysisDoc[] = AnalysisTypeSchema.values.flatMap((value) => {
  const type = SPELLINGS.get(value.number);
  if (type === undefined) return [];
  const { name, form, labels } = getOption(value, analysisResult);
  return [{ type, name, form, labels }];
});

/** Every classifier of texts. */
export const CLASSIFIERS = ANALYSES.filter(({ form }) => form === ResultForm.CLASSIFICATION);

/** Schemas of the labels, which results and postings share. */
export const LABEL_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  CLASSIFIERS.map(({ type, name, labels }) => [name, enumeration(labels, `A label of ${type}.`)]),
);
