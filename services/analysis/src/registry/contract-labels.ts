import { getOption } from "@bufbuild/protobuf";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult } from "@hourglass/proto/options/v1/analyses";
import { enumSpellings } from "@hourglass/runtime";
import type { ClassifyingAnalysis } from "./analyses.js";

const SPELLINGS = enumSpellings(AnalysisTypeSchema);

/** The labels of an analysis in the order of the contract, which is also that of the shipped models. */
export const contractLabels = (analysis: ClassifyingAnalysis): readonly string[] => {
  const value = AnalysisTypeSchema.values.find(({ number }) => SPELLINGS.get(number) === analysis);
  if (value === undefined) throw new Error(`the contract has no analysis ${analysis}`);
  return getOption(value, analysisResult).labels;
};
