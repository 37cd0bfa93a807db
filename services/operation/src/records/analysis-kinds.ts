import { getOption } from "@bufbuild/protobuf";
import { AnalysisKind, analysis_kind as analysisKind } from "@hourglass/proto/options/v1/analyses";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { enumSpellings } from "@hourglass/runtime";

const KINDS = new Map(AnalysisTypeSchema.values.map((value) => [value.number, getOption(value, analysisKind)]));

/** Whether the contract defines the analysis as visual. */
export const isVisualType = (type: number): boolean => KINDS.get(type) === AnalysisKind.VISUAL;

/** Names of the textual analyses, in the order of the contract. */
export const TEXTUAL_NAMES: readonly string[] = [...enumSpellings(AnalysisTypeSchema)]
  .filter(([number]) => KINDS.get(number) === AnalysisKind.TEXTUAL)
  .map(([, name]) => name);
