import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createTopic } from "./fast-topics.js";
import { MODEL_FOLDER, readTaggerModel } from "./tagger.js";

const analyzer = createTopic();
const analyze = (text: string) => analyzer.analyze(createDocument(text), { explain: false });
const entities = (text: string) =>
  analyze(text)
    .filter(({ topic_type: type }) => type === "entity")
    .map(({ value, sub_type: tag }) => `${value}/${tag ?? ""}`)
    .sort();
const chunks = (text: string) =>
  analyze(text)
    .filter(({ topic_type: type }) => type === "noun-chunk")
    .map(({ value }) => value);

describe("topic", () => {
  it("finds people, organizations and places", () => {
    expect(entities("Angela Merkel met Tim Cook of Apple in San Francisco.")).toEqual([
      "Angela Merkel/PERSON",
      "Apple/ORG",
      "San Francisco/GPE",
      "Tim Cook/PERSON",
    ]);
  });

  it("tells kinds of places apart", () => {
    expect(entities("We flew from Heathrow Airport to Lake Como, then drove to Italy.")).toEqual([
      "Heathrow Airport/FAC",
      "Italy/GPE",
      "Lake Como/LOC",
    ]);
  });

  it("knows peoples, languages, events and laws from word lists and patterns", () => {
    expect(entities("Most Republicans and Muslims here speak English.")).toEqual([
      "English/LANGUAGE",
      "Muslims/NORP",
      "Republicans/NORP",
    ]);
    expect(entities("They broke the GDPR and the Clean Energy Act of 2021 during the Olympics at Christmas.")).toEqual([
      "Christmas/EVENT",
      "Clean Energy Act of 2021/LAW",
      "GDPR/LAW",
      "Olympics/EVENT",
    ]);
  });

  it("lists entities before noun chunks, and no chunk that is an entity", () => {
    const topics = analyze("My new laptop from Google is great, Google makes a light laptop.");
    expect(topics[0]).toEqual({ value: "Google", topic_type: "entity", sub_type: "ORG" });
    expect(topics.map(({ value }) => value)).toEqual(["Google", "new laptop", "light laptop"]);
  });

  it("names a topic once, whatever its case, article or possessive", () => {
    expect(chunks("The laptop broke. A LAPTOP is dear, and the laptop's screen is dark.")).toEqual([
      "laptop",
      "screen",
    ]);
  });

  it("reads hashtags as words and leaves out handles, addresses and emoji", () => {
    expect(
      analyze("@BarackObama #WorldCup2014 #throwbackthursday http://t.co/x 😂 :)").map(({ value }) => value),
    ).toEqual(["World Cup 2014", "throwback thursday"]);
    expect(entities("so happy #Christmas")).toEqual(["Christmas/EVENT"]);
  });

  it("finds nothing where there is nothing", () => {
    for (const text of ["", " \n ", "😂😂😂 ❤️", "http://t.co/abc @someone", "...", "\ud800", "ok lol haha", "12 34"]) {
      expect(analyze(text), text).toEqual([]);
    }
  });

  it("shows values as they are written, without what only points", () => {
    expect(chunks("I love my other friend's   new\n car and these two black cats")).toEqual(
      expect.arrayContaining(["friend", "black cats"]),
    );
    for (const { value } of analyze("The  White   House and such a nice\tday at our local   farmers market")) {
      expect(value).toBe(value.replace(/\s+/g, " ").trim());
    }
  });

  it("gives noun chunks the part of speech of their heads", () => {
    expect(analyze("a red car")).toEqual([{ value: "red car", topic_type: "noun-chunk", sub_type: "NOUN" }]);
  });

  it("takes 20,000 characters, and at most 50 topics of them", () => {
    const words = Array.from({ length: 1_500 }, (_, i) => `the ${i % 2 === 0 ? "red" : "old"} gadget${i}`).join(", ");
    expect(analyze(words.slice(0, 20_000))).toHaveLength(50);
  });

  it("survives any string", () => {
    for (const text of [
      "\ud83d",
      "a\u0000b",
      "\u202e\u200d",
      "ǅ".repeat(50),
      "今天天气很好我们去公园玩吧",
      "مرحبا بالعالم",
      "#",
      "@",
      "'s",
      "-",
    ]) {
      expect(Array.isArray(analyze(text))).toBe(true);
    }
  });
});

describe("readTaggerModel", () => {
  it("refuses damaged weights", () => {
    const folder = mkdtempSync(join(tmpdir(), "topic-model-"));
    writeFileSync(join(folder, "model.json"), readFileSync(new URL("model.json", MODEL_FOLDER)));
    const url = pathToFileURL(`${folder}/`);
    expect(() => readTaggerModel(url)).toThrow(/cannot read the model file .*weights\.bin\.gz/);
    writeFileSync(join(folder, "weights.bin.gz"), "broken");
    expect(() => readTaggerModel(url)).toThrow(/damaged/);
  });
});
