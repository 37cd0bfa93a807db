import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineSettings } from "../types.js";
import { inspectFile } from "../media/probe/inspector.js";
import { analyzeFile } from "../pool/analyze-file.js";
import type { MediaFindings } from "../pool/media-pool.js";
import { describeAnalyzers } from "../pool/media-status.js";
import { createVisualAnalyzers } from "../registry/visual-registry.js";

// The network itself is not part of the product: docs/own-models.md says how it was measured.
describe("the NSFW score", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hourglass-nsfw-"));
    await sharp({ create: { width: 40, height: 30, channels: 3, background: "#a08070" } }).toFile(
      join(folder, "a.png"),
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  const wanted = (modelsDir: string): EngineSettings => ({ modelsDir, media: { nsfwScore: true } });

  const findingsOf = async (settings: EngineSettings): Promise<MediaFindings> => {
    const file = join(folder, "a.png");
    const facts = await inspectFile(file, { imagePixelsMax: 10_000, durationMsMax: 0 });
    const gallery = { faces: [], marks: [] };
    const task = { file, facts, analyses: ["object-id"] as const, readsText: false, transcribes: false, gallery };
    return analyzeFile(task, { analyzers: createVisualAnalyzers(settings), settings });
  };

  it("is missing from results, with the reason, while its model is missing", async () => {
    const { results, nsfw } = await findingsOf(wanted(join(folder, "none")));
    expect(results["object-id"]).toEqual([]);
    expect(nsfw).toEqual({
      error: expect.stringMatching(/MODELS_DIR has no nsfw\/open-nsfw\.onnx: docs\/own-models\.md/) as string,
    });
  });

  it("is not made with another file, and neither shown nor asked for by default", async () => {
    await mkdir(join(folder, "nsfw"));
    await writeFile(join(folder, "nsfw", "open-nsfw.onnx"), "another");
    const { nsfw } = await findingsOf(wanted(folder));
    expect(nsfw).toEqual({
      error: expect.stringMatching(/is not the file that docs\/own-models\.md names/) as string,
    });
    expect((await findingsOf({ modelsDir: folder })).nsfw).toBeUndefined();
  });

  it("is among what files need where it is asked for", async () => {
    const status = (await describeAnalyzers(wanted(join(folder, "none")))).find(({ type }) => type === "nsfw");
    expect(status).toMatchObject({ ready: false, error: expect.stringMatching(/docs\/own-models\.md/) as string });
    expect((await describeAnalyzers({})).map(({ type }) => type)).not.toContain("nsfw");
  });
});
