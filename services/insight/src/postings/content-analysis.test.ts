import type { Topic } from "@hourglass/analysis";
import { expect, it } from "vitest";
import { topicsOfPosting } from "./content-analysis.js";

const entity = (value: string): Topic => ({ value, topic_type: "entity", sub_type: "ORG" });
const chunk = (value: string): Topic => ({ value, topic_type: "noun-chunk", sub_type: "NOUN" });

it("puts entities before noun chunks, then what is mentioned more often, then what comes earlier", () => {
  const text = "A small bird, a small bird, near Leeds. York and Hull, York again.";
  const topics = [chunk("small bird"), entity("Hull"), entity("Leeds"), entity("York")];
  expect(topicsOfPosting(topics, text)).toEqual(["York", "Leeds", "Hull", "small bird"]);
});

it("merges topics that differ in case only", () => {
  expect(topicsOfPosting([chunk("leeds"), entity("Leeds"), entity("LEEDS")], "Leeds, leeds and LEEDS")).toEqual([
    "Leeds",
  ]);
});

it("leaves out URLs, tags and mentions, but not a word that also occurs in the prose", () => {
  const text = "#Leeds by @York at https://example.com/Hull and Derby #Derby";
  const topics = ["Leeds", "York", "Hull", "Derby", "#Leeds", "@York", "https://example.com/Hull"].map(entity);
  expect(topicsOfPosting(topics, text)).toEqual(["Derby"]);
});

it("counts whole words only", () => {
  expect(topicsOfPosting([entity("Art"), entity("Bath")], "Bath, Bath, Artful, Article, Art")).toEqual(["Bath", "Art"]);
});

it("gives eight topics at most", () => {
  const names = Array.from({ length: 12 }, (_, index) => `Place${index}`);
  expect(topicsOfPosting(names.map(entity), names.join(" "))).toEqual(names.slice(0, 8));
});
