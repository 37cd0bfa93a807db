import { describe, expect, it } from "vitest";
import { faultsOf, readTopicProbes } from "./topic-probes.js";

const topic = (value: string, type: string) => ({ value, topic_type: "entity", sub_type: type }) as const;

describe("the topic probes", () => {
  const probes = readTopicProbes();

  it("are enough, with their own ids and texts, and expect something", () => {
    expect(probes.length).toBeGreaterThanOrEqual(100);
    expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
    expect(new Set(probes.map(({ text }) => text.toLowerCase())).size).toBe(probes.length);
    expect(probes.filter(({ topics = [], absent = [] }) => topics.length + absent.length === 0)).toEqual([]);
  });

  it("fail for a topic that is missing, late, of another type or spoiled", () => {
    const probe = { id: "1", group: "verb", text: "", topics: ["Oslo/GPE|LOC"], absent: ["cut jobs"] };
    const [a, b, c] = [topic("a", "NOUN"), topic("b", "NOUN"), topic("c", "NOUN")];
    expect(faultsOf(probe, [a, topic("Oslo", "LOC")])).toEqual([]);
    expect(faultsOf(probe, [topic("Oslo", "PERSON")])).toEqual(["no Oslo/GPE|LOC"]);
    expect(faultsOf(probe, [a, b, c, topic("Oslo", "GPE")])).toEqual(["no Oslo/GPE|LOC"]);
    expect(faultsOf(probe, [topic("Oslo", "GPE"), a, b, topic("cut jobs", "NOUN")])).toEqual(["has cut jobs"]);
  });
});
