import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyzeAlone, createModelFolder, type ModelFolder } from "../../testing/model-folder.js";
import { tinyClassifier, tinyTagger } from "../../testing/tiny-models.js";
import { createModelTopic } from "./model-topics.js";

let folder: ModelFolder;
beforeAll(async () => {
  folder = await createModelFolder();
});
afterAll(() => folder.remove());

describe("a model that tags words", () => {
  const words = { ada: [0, 9, 0, 0, 0], love: [0, 0, 9, 0, 0], "##lace": [9, 0, 0, 0, 0], lisbon: [0, 0, 0, 9, 0] };
  const labels = ["O", "B-PER", "I-PER", "B-LOC", "B-MISC"];

  it("finds entities by the first piece of each word, with their places", async () => {
    await folder.place("acme/names", tinyTagger({ labels, words: { "[UNK]": [1, 0, 0, 0, 0], ...words } }));
    const analyzer = await createModelTopic(folder.settingsFor("acme/names"));
    const topics = await analyzeAlone(analyzer, "🙂 Yesterday Ada Lovelace came to Lisbon.");
    expect(topics.filter(({ topic_type: type }) => type === "entity")).toEqual([
      { value: "Ada Lovelace", topic_type: "entity", sub_type: "PERSON", offsets: [{ start: 12, end: 24 }] },
      { value: "Lisbon", topic_type: "entity", sub_type: "GPE", offsets: [{ start: 33, end: 39 }] },
    ]);
  });

  it("finds them at the end of a long text too", async () => {
    const analyzer = await createModelTopic(folder.settingsFor("acme/names"));
    const text = `${"so it went on and on. ".repeat(800)}Then came Ada Lovelace.`;
    const topics = await analyzeAlone(analyzer, text);
    const ada = topics.find(({ value }) => value === "Ada Lovelace");
    expect(ada).toMatchObject({ sub_type: "PERSON", offsets: [{ start: text.indexOf("Ada"), end: text.length - 1 }] });
  });

  it("may have its own tags that the operator explains", async () => {
    const model = { labels: ["L0", "L1"], words: { "[UNK]": [1, 0], acme: [0, 9] } };
    await folder.place("acme/own-tags", tinyTagger(model), { labels: { L0: null, L1: "B-ORG" } });
    const analyzer = await createModelTopic(folder.settingsFor("acme/own-tags"));
    expect(await analyzeAlone(analyzer, "Acme pays")).toContainEqual(
      expect.objectContaining({ value: "Acme", topic_type: "entity", sub_type: "ORG" }),
    );
  });

  it("is refused when it does not tag words", async () => {
    await folder.place("acme/sentiment", tinyClassifier({ labels: ["negative", "positive"], words: {} }));
    await expect(createModelTopic(folder.settingsFor("acme/sentiment"))).rejects.toThrow(/does not serve topic/);
  });
});
