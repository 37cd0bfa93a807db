import { getOption } from "@bufbuild/protobuf";
import {
  AnalysisKind,
  analysis_kind as analysisKind,
  analysis_result as analysisResult,
  ResultForm,
} from "@hourglass/proto/options/v1/analyses";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { enumSpellings } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import { labelsOf } from "../text/classification.js";
import { modelFolder } from "../engines/linear/loaded-model.js";
import { readModel } from "../engines/linear/linear-model.js";
import { CLASSIFIERS, CLASSIFYING_ANALYSES, TEXTUAL, VISUAL } from "./analyses.js";
import { contractLabels } from "../training.js";

/** Names of the analyses of a kind in the contract, in its order. */
const inContract = (kind: AnalysisKind): string[] => {
  const names = enumSpellings(AnalysisTypeSchema);
  return AnalysisTypeSchema.values
    .filter((value) => getOption(value, analysisKind) === kind)
    .map(({ number }) => names.get(number) ?? "");
};

describe("the analyses", () => {
  it("are those of the contract, of the same kind and in the same order", () => {
    expect(Object.keys(TEXTUAL)).toEqual(inContract(AnalysisKind.TEXTUAL));
    expect(Object.keys(VISUAL)).toEqual(inContract(AnalysisKind.VISUAL));
  });

  it("cover every value of the contract, each of which has a kind", () => {
    const all = [...enumSpellings(AnalysisTypeSchema).values()].sort();
    expect([...Object.keys(TEXTUAL), ...Object.keys(VISUAL)].sort()).toEqual(all);
  });

  it("have the labels of the contract, with a prior and a hypothesis for each", () => {
    const contract = AnalysisTypeSchema.values.flatMap((value) => {
      const { form, labels } = getOption(value, analysisResult);
      const name = enumSpellings(AnalysisTypeSchema).get(value.number);
      return form === ResultForm.CLASSIFICATION ? [[name, [...labels].sort()]] : [];
    });
    expect(Object.entries(CLASSIFIERS).map(([type, set]) => [type, labelsOf(set).sort()])).toEqual(contract);
    for (const { analysis, priors, hypotheses, aliases } of Object.values(CLASSIFIERS)) {
      expect(Object.keys(hypotheses).sort(), analysis).toEqual(Object.keys(priors).sort());
      expect(Object.keys(priors), analysis).toEqual(
        expect.arrayContaining(Object.values(aliases).filter((label) => label !== null)),
      );
      expect(
        Object.values(priors).reduce((a, b) => a + b, 0),
        analysis,
      ).toBeCloseTo(1, 3);
    }
  });

  it("have the labels of their shipped models in the order of the contract", () => {
    for (const type of CLASSIFYING_ANALYSES) {
      expect(contractLabels(type), type).toEqual(readModel(modelFolder(type)).card.labels);
    }
  });

  it("stand under their own types and can load their default engines", () => {
    for (const [type, descriptor] of Object.entries({ ...TEXTUAL, ...VISUAL })) {
      expect(descriptor.type).toBe(type);
      expect(Object.keys(descriptor.engines)).toContain(descriptor.defaultEngine);
      expect("models" in descriptor.engines, `${type} has a model for the engine models`).toBe(
        descriptor.defaultModel !== undefined,
      );
      const needsParts = descriptor.kind === "visual" && descriptor.defaultModel !== undefined;
      expect("modelParts" in descriptor, `${type} has the parts of its model`).toBe(needsParts);
    }
  });
});
