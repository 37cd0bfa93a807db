import { expect, test } from "vitest";
import "../testing/browser-globals.js";
// The document of the server that this console belongs to.
import { documentOfEverything } from "../../../dist/testing/document.js";
import type { ExampleDocument } from "../testing/example-answers.js";

const { words } = await import("./collection.js");

const { schemas } = (documentOfEverything() as unknown as ExampleDocument).components;

/** What says the values of a schema; those that it does not know it leaves as they are. */
const SAID: Readonly<Record<string, (value: string) => string>> = {
  AnalysisType: words.labels.analysis,
  Completeness: words.coverage.completeness,
  GapReason: words.coverage.reason,
  KeyScope: (value) => words.settings.keys.scopeNames[value] ?? value,
  Platform: words.labels.platform,
  PlatformState: (value) => words.platformStates[value] ?? value,
  RealSentiment: words.labels.emotion,
  Role: (value) => words.settings.users.roles[value] ?? value,
};

test.each(Object.entries(SAID))("each value of %s is said in the words of people", (name, said) => {
  const values = (schemas[name]?.enum ?? []).filter((value) => typeof value === "string");
  expect(values.length).toBeGreaterThan(1);
  expect(values.map(said).filter((text) => text.includes("_"))).toEqual([]);
  expect(said("brand_new")).toBe("brand_new");
});
