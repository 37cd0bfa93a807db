import { getOption } from "@bufbuild/protobuf";
import { AnalysisKind, analysis_kind as analysisKind } from "@hourglass/proto/options/v1/analyses";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { enumSpellings } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import { TEXTUAL, VISUAL } from "./analyses.js";

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

  it("stand under their own types and can load their default engines", () => {
    for (const [type, descriptor] of Object.entries({ ...TEXTUAL, ...VISUAL })) {
      expect(descriptor.type).toBe(type);
      expect(Object.keys(descriptor.engines)).toContain(descriptor.defaultEngine);
      expect("models" in descriptor.engines, `${type} has a model for the engine models`).toBe(
        descriptor.defaultModel !== undefined,
      );
    }
  });
});
