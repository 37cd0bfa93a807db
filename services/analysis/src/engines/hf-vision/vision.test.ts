import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFrame } from "../../media/frame.js";
import { createVisualAnalyzers } from "../../registry/visual-registry.js";
import { ModelError } from "../../models/model.js";
import type { Caption, Detection, EngineSettings, Film, Frame, VisualAnalyzer } from "../../types.js";
import { createModelFolder, type ModelFolder } from "../../testing/model-folder.js";
import { tinyClip, tinyDetector, tinyWriter } from "../../testing/tiny-vision-models.js";
import { createActivityModel } from "../../analyzers/activity-id/activity-id.js";
import { createCaptionModel } from "../../analyzers/caption/model-caption.js";
import { createLogoModel } from "../../analyzers/logo-id/logo-id.js";
import { createObjectModel } from "../../analyzers/object-id/object-id.js";

const CONTEXT = { gallery: { faces: [], marks: [] } };

let models: ModelFolder;
beforeAll(async () => {
  models = await createModelFolder();
});
afterAll(() => models.remove());

/** A picture of one color. */
function plain(red: number, green: number, blue: number, atMs = 0): Frame {
  const [width, height] = [40, 30];
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < rgb.length; i += 3) rgb.set([red, green, blue], i);
  return createFrame({ width, height, rgb, atMs });
}
const RED = plain(255, 0, 0);
const GREEN = plain(0, 255, 0);
const BLUE = plain(0, 0, 255);

const settingsFor = (model: string): EngineSettings => {
  const settings = models.settingsFor(model);
  const byType = Object.fromEntries(["object-id", "activity-id", "logo-id", "caption"].map((type) => [type, model]));
  return { ...settings, media: { models: byType } };
};

const seen = <Result>(analyzer: VisualAnalyzer<string, Result>, frame: Frame): Promise<Result> =>
  analyzer.look(frame, CONTEXT);

const DETECTOR = tinyDetector([
  ["cat", [4, 0, 0]],
  ["N/A", [0, 9, 0]],
  ["Dog", [0, 0, 6]],
  ["nothing", [2, 3, 2]],
]);

/** A detection of one thing that fills the picture. */
const filling = (value: string, prob: number): Detection => ({ value, prob, count: 1, boxes: [[0, 0, 1, 1, prob]] });

describe("objects", () => {
  it("are those that the model sees, with its probability", async () => {
    await models.place("tiny/detector", DETECTOR);
    const analyzer = await createObjectModel(settingsFor("tiny/detector"));
    expect(analyzer).toMatchObject({ type: "object-id", engine: "models", model: { id: "tiny/detector" } });
    expect(analyzer.model.version).toMatch(/^local-[0-9a-f]{12}$/);
    // e^4 / (e^4 + e^2 + 2), and so on.
    expect(await seen(analyzer, RED)).toEqual([filling("cat", 0.8533)]);
    expect(await seen(analyzer, BLUE)).toEqual([filling("dog", 0.9773)]);
    expect(await seen(analyzer, GREEN)).toEqual([]);
    expect(await seen(analyzer, RED)).toEqual(await seen(analyzer, RED));
  });

  it("have the operator's names, threshold and temperature", async () => {
    const settings = { labels: { Dog: null, cat: "kitten" }, threshold: 0.4, temperature: 2 };
    await models.place("tiny/renamed", DETECTOR, settings);
    const analyzer = await createObjectModel(settingsFor("tiny/renamed"));
    // e^2 / (e^2 + e + 2)
    expect(await seen(analyzer, RED)).toEqual([filling("kitten", 0.6103)]);
    expect(await seen(analyzer, BLUE)).toEqual([]);
    expect(analyzer.model.version).toMatch(/^local-[0-9a-f]{12}\+[0-9a-f]{6}$/);
  });

  it("may be several in one place where a model judges each class by itself", async () => {
    const files = tinyDetector(
      [
        ["cat", [2, 0, 0]],
        ["dog", [1, 0, 0]],
        ["cow", [-1, 0, 0]],
      ],
      { family: "rt_detr" },
    );
    await models.place("tiny/independent", files);
    const analyzer = await createObjectModel(settingsFor("tiny/independent"));
    expect(await seen(analyzer, RED)).toEqual([filling("cat", 0.8808), filling("dog", 0.7311)]);
  });

  it("are where each query of the model sees them", async () => {
    const places = [
      [0.3, 0.25, 0.2, 0.5],
      [0.75, 0.5, 0.7, 0.2],
      [NaN, 0.5, 0.1, 0.1],
    ] as const;
    await models.place(
      "tiny/places",
      tinyDetector(
        [
          ["cat", [4, 0, 0]],
          ["nothing", [1, 1, 1]],
        ],
        { places },
      ),
    );
    const prob = 0.9526;
    expect(await seen(await createObjectModel(settingsFor("tiny/places")), RED)).toEqual([
      {
        value: "cat",
        prob,
        count: 2,
        boxes: [
          [0.2, 0, 0.2, 0.5, prob],
          [0.4, 0.4, 0.6, 0.2, prob],
        ],
      },
    ]);
  });

  it("need a detector with labels", async () => {
    await models.place("tiny/other", { ...DETECTOR, "config.json": JSON.stringify({ model_type: "vit" }) });
    await expect(createObjectModel(settingsFor("tiny/other"))).rejects.toThrow('is "vit", but object-id needs one of');
    await models.place("tiny/mute", { ...DETECTOR, "config.json": JSON.stringify({ model_type: "detr" }) });
    await expect(createObjectModel(settingsFor("tiny/mute"))).rejects.toThrow("names no labels");
  });
});

describe("activities", () => {
  const words = { swimming: [0, 0, 1], photo: [0.1, 0.1, 0.1], dancing: [1, 0, 0], place: [0, 1, 0] } as const;

  it("are those of the closed list whose sentence is most like the picture", async () => {
    await models.place("tiny/clip", tinyClip(words));
    const analyzer = await createActivityModel(settingsFor("tiny/clip"));
    expect(await seen(analyzer, BLUE)).toEqual([{ value: "swimming", prob: 1 }]);
    expect(await seen(analyzer, RED)).toEqual([{ value: "dancing", prob: 1 }]);
    expect(analyzer.engine).toBe("models");
  });

  it("are none where another sentence says it better", async () => {
    const analyzer = await createActivityModel(settingsFor("tiny/clip"));
    expect(await seen(analyzer, GREEN)).toEqual([]);
  });

  it("may be the operator's own, at the operator's temperature", async () => {
    const settings = { hypotheses: { bathing: "swimming", partying: "dancing" }, temperature: 100, threshold: 0.05 };
    await models.place("tiny/own-clip", tinyClip(words), settings);
    const found = await seen(await createActivityModel(settingsFor("tiny/own-clip")), BLUE);
    expect(found.map(({ value }) => value)).toEqual(["bathing", "partying"]);
    expect(found[0]?.prob).toBeLessThan(0.2);
  });

  it("need a model of the CLIP kind, whole", async () => {
    const files = tinyClip(words);
    await models.place("tiny/siglip", { ...files, "config.json": JSON.stringify({ model_type: "siglip" }) });
    await expect(createActivityModel(settingsFor("tiny/siglip"))).rejects.toThrow('needs one of the kind "clip"');
    await models.place("tiny/detector-again", DETECTOR);
    await expect(createActivityModel(settingsFor("tiny/detector-again"))).rejects.toThrow(
      "has no tokenizer.json, no tokenizer_config.json, no onnx/text_model.onnx, no onnx/vision_model.onnx",
    );
  });
});

it("finds logos by the names of brands, and none in a picture of something else", async () => {
  await models.place("tiny/marks", tinyClip({ ferrari: [1, 0, 0], nokia: [0, 0, 1], people: [0, 1, 0] }));
  const analyzer = await createLogoModel(settingsFor("tiny/marks"));
  expect(await seen(analyzer, RED)).toEqual([{ value: "Ferrari", prob: 1 }]);
  expect(await seen(analyzer, GREEN)).toEqual([]);
});

describe("captions", () => {
  const writer = tinyWriter({
    "[CLS]": { a: [9, 9, 9] },
    a: { warm: [9, 0, 0], cold: [0, 0, 9], "[SEP]": [0, 9, 0] },
    warm: { color: [9, 9, 9] },
    cold: { color: [9, 9, 9] },
    color: { "[SEP]": [9, 9, 9] },
  });
  let captioner: VisualAnalyzer<"caption", Caption[]>;
  beforeAll(async () => {
    await models.place("tiny/writer", writer);
    captioner = await createCaptionModel(settingsFor("tiny/writer"));
  });

  it("are what the model writes", async () => {
    expect(await seen(captioner, RED)).toEqual([{ description: "a warm color" }]);
    expect(await seen(captioner, BLUE)).toEqual([{ description: "a cold color" }]);
  });

  it("of a video say when it changes", async () => {
    const watcher = captioner.watch?.(CONTEXT);
    const film: Film = { durationMs: 3_661_900, burst: () => Promise.resolve([]) };
    for (const frame of [RED, plain(200, 0, 0, 2000), plain(0, 0, 200, 61_500), plain(255, 0, 0, 3_600_000)]) {
      await watcher?.see(frame, film, { untilMs: frame.atMs + 2000, afterCut: false });
    }
    expect(watcher?.finish()).toEqual([
      {
        duration: "01:01:01",
        descriptions: [
          { timestamp: "00:00:00", description: "a warm color" },
          { timestamp: "00:01:01", description: "a cold color" },
          { timestamp: "01:00:00", description: "a warm color" },
        ],
      },
    ]);
  });

  it("are none of a video without frames", () => {
    expect(captioner.watch?.(CONTEXT).finish()).toEqual([]);
  });

  it("need a model that writes", async () => {
    const config = JSON.stringify({ model_type: "florence2" });
    await models.place("tiny/florence", { ...writer, "config.json": config });
    await expect(createCaptionModel(settingsFor("tiny/florence"))).rejects.toThrow("vision-encoder-decoder");
  });
});

it("serves an analysis whose engine is models, and no other takes its place", async () => {
  await models.place("tiny/chosen", DETECTOR);
  const settings = models.settingsFor("tiny/chosen");
  const analyzersWith = (model: string) =>
    createVisualAnalyzers({
      ...settings,
      media: { engines: { "object-id": "models" }, models: { "object-id": model } },
    });
  expect(await seen(await analyzersWith("tiny/chosen").load("object-id"), RED)).toEqual([filling("cat", 0.8533)]);
  await expect(analyzersWith("tiny/gone").load("object-id")).rejects.toThrow("npm run models -- pull tiny/gone");
});

describe("a model that cannot be used", () => {
  it("is missed with advice, and nothing is put in its place", async () => {
    const missing = createObjectModel(settingsFor("tiny/absent"));
    await expect(missing).rejects.toBeInstanceOf(ModelError);
    await expect(missing).rejects.toThrow("OFFLINE=1 forbids to download it: run npm run models -- pull tiny/absent");
  });

  it("is refused when its weights are none", async () => {
    await models.place("tiny/broken", { ...DETECTOR, "onnx/model.onnx": "not a model" });
    await expect(createObjectModel(settingsFor("tiny/broken"))).rejects.toThrow("Model tiny/broken cannot be loaded");
  });

  it("is refused with settings that are none", async () => {
    await models.place("tiny/odd", DETECTOR, { threshold: 2 });
    await expect(createObjectModel(settingsFor("tiny/odd"))).rejects.toThrow('"threshold" must be a number between');
  });
});
