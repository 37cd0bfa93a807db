import type { TextualAnalysis } from "@hourglass/analysis";
import { Dimension, OperationType, Source } from "@hourglass/proto/operation/v1/operation";
import { expect, it } from "vitest";
import { ResultList } from "./result-plan.js";

/** Invented: nothing of this service names it. */
const LOUDNESS = "loudness" as TextualAnalysis;

it("the result of a new classifier is reported with its label, its model and its reason, without code of its own", () => {
  const list = new ResultList({
    type: OperationType.TEXT,
    unknown: [],
    analyses: [LOUDNESS],
    named: false,
    groups: [],
  });
  const origin = { source: Source.CONTENT, dimension: Dimension.TEXTUAL };
  const results = { [LOUDNESS]: { value: "loud", prob: 0.75 } };
  const models = { [LOUDNESS]: { id: "loudness-rules", version: "1" } };
  list.takeText(LOUDNESS, {
    ...origin,
    outcome: { results, errors: {}, models, language: "en", supported: { [LOUDNESS]: true } },
  });
  list.takeText(LOUDNESS, { ...origin, outcome: { results: {}, errors: { [LOUDNESS]: "its model is absent" } } });
  expect(list.analyses).toMatchObject([
    {
      data: { case: "classification", value: { value: "loud", prob: 0.75 } },
      model: { id: "loudness-rules" },
      language: "en",
      supported: true,
    },
  ]);
  expect(list.failure.error).toBe("loudness: its model is absent");
});
