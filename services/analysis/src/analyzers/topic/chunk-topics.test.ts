import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createTopic } from "./fast-topics.js";

const analyzer = createTopic();
const topics = (text: string): string[] =>
  analyzer
    .analyze(createDocument(text), { explain: false })
    .map(({ value, topic_type: kind, sub_type: type }) => (kind === "entity" ? `${value}/${type}` : value));

describe("topics", () => {
  it.each([
    ["Boeing to cut 2,500 jobs", ["Boeing/ORG", "jobs"]],
    ["I cried bitter tears", ["bitter tears"]],
    ["The airline found my lost luggage", ["airline", "lost luggage"]],
  ])("begin with no verb: %s", (text, expected) => {
    expect(topics(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["terrible battery, amazing screen", ["battery", "screen"]],
    ["the cheapest flights and the same driver", ["flights", "driver"]],
    ["happy hour and fast food", ["happy hour", "fast food"]],
    ["free wifi and fake reviews", ["free wifi", "fake reviews"]],
  ])("are not judged, but whole: %s", (text, expected) => {
    expect(topics(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["The parcel weighs 24 kg", ["parcel"]],
    ["the four week course", ["course"]],
    ["the 2026 election", ["2026 election"]],
    ["first aid for three hikers", ["first aid", "hikers"]],
  ])("are not counted: %s", (text, expected) => {
    expect(topics(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["Fingers crossed for the exam", ["exam"]],
    ["Mark my words, the merger will fail", ["merger"]],
    ["worth every penny", []],
  ])("are no idioms: %s", (text, expected) => {
    expect(topics(text)).toEqual(expected);
  });

  it.each([
    ["Dinner at the Hotel Bristol was cold", ["Hotel Bristol/FAC", "Dinner"]],
    ["Snow in eastern Germany", ["eastern Germany/LOC", "Snow"]],
    ["the best pizza in the world", ["pizza"]],
    ["I bought a Sony WH-1000XM5", ["Sony WH-1000XM5/PRODUCT"]],
    ["Prime Minister Modi spoke", ["Modi/PERSON"]],
    ["Christmas is coming", ["Christmas/EVENT"]],
    ['The film "Past Lives" ended', ["Past Lives/WORK_OF_ART", "film"]],
    ["@Delta lost my bag", ["Delta/ORG", "bag"]],
  ])("have whole names: %s", (text, expected) => {
    expect(topics(text).sort()).toEqual([...expected].sort());
  });
});
