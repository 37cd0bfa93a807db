import { LateFileError } from "@hourglass/analysis";
import {
  AnalysisType,
  ContentErrorCode,
  Dimension,
  OperationStatus,
  OperationType,
  Source,
} from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeMedia, lengthScore } from "./testing/fakes.js";
import { ended, failureOf, Gate, GAVE_UP, OperationHarness, publishRun } from "./testing/operation-harness.js";

const { SENTIMENT_SIMPLE, PERSONALITY_MB, TOPIC, OBJECT_ID, FACE_ID, CAPTION } = AnalysisType;

let harness: OperationHarness;
let media: FakeMedia;
beforeEach(async () => {
  media = new FakeMedia();
  harness = await OperationHarness.open({ media: media.seen, config: { leaseMs: 3000 } });
});
afterEach(() => harness.close());

/** Progress is stored three times per lease. */

const urls = (names: readonly string[], analyses: readonly AnalysisType[], contentsGroups: string[] = []) => ({
  type: OperationType.FILE,
  analyses: [...analyses],
  contents: names.map((name) => ({ value: { case: "url" as const, value: `https://example.com/${name}` } })),
  contentsGroups,
});

const ids = (fileIds: readonly bigint[], analyses: readonly AnalysisType[] = [OBJECT_ID]) => ({
  type: OperationType.FILE,
  analyses: [...analyses],
  contents: fileIds.map((value) => ({ value: { case: "fileId" as const, value } })),
});

async function run(request: ReturnType<typeof urls> | ReturnType<typeof ids>) {
  harness.process.start();
  return ended(harness.client, (await harness.client.createOperation(request)).id);
}

async function contentsOf(request: ReturnType<typeof urls> | ReturnType<typeof ids>) {
  const operation = await run(request);
  expect(operation.status).toBe(OperationStatus.DONE);
  return operation.data?.contents ?? [];
}

describe("an operation on files", () => {
  it("tells what is seen in each, in order", async () => {
    const [first, second] = await contentsOf(urls(["cat.png", "dog.png"], [OBJECT_ID, CAPTION]));
    expect(first).toMatchObject({
      dimensions: [Dimension.VISUAL_IMAGE],
      analysisTypes: [OBJECT_ID, CAPTION],
      analyses: [
        {
          source: Source.CONTENT,
          dimension: Dimension.VISUAL_IMAGE,
          data: { case: "detections", value: { detections: [{ value: "cat", prob: 0.9, moments: [] }] } },
          model: { id: "stub", version: "1" },
        },
        { data: { case: "captions", value: { captions: [{ description: "a picture of cat" }] } } },
      ],
      error: "",
    });
    expect(second?.analyses[1]?.data.value).toMatchObject({ captions: [{ description: "a picture of dog" }] });
  });

  it("tells how pictures were rated, or why not, with their objects alone", async () => {
    const rated = urls(["RATED.png", "RATED.mp4", "UNRATABLE.png", "cat.png"], [FACE_ID, OBJECT_ID]);
    const ratings = (await contentsOf(rated)).map(({ analyses }) => analyses.map(({ nsfw }) => nsfw));
    const model = { id: "stub", version: "1" };
    expect(ratings).toMatchObject([
      [undefined, { score: 0.25, model, error: "" }],
      [undefined, { score: 0.25, at: 1.5, model, error: "" }],
      [undefined, { error: "its model is missing" }],
      [undefined, undefined],
    ]);
    expect(ratings[2]?.[1]?.score).toBeUndefined();
  });

  it("tells where it is seen: in a picture, and in a moment of a video", async () => {
    const [picture, film] = await contentsOf(urls(["PLACED.png", "PLACED.mp4"], [OBJECT_ID]));
    const boxes = [{ x: 0, y: 0.25, width: 0.5, height: 0.75, prob: 0.9 }];
    const value = "PLACED";
    expect(picture?.analyses[0]?.data.value).toMatchObject({ detections: [{ value, count: 1, boxes, moments: [] }] });
    expect(film?.analyses[0]?.data.value).toMatchObject({
      detections: [{ value, boxes: [], moments: [{ start: 0, end: 2, at: 0, count: 1, boxes }] }],
    });
  });

  it("tells no place where none is known", async () => {
    const [picture, film] = await contentsOf(urls(["cat.png", "cat.mp4"], [OBJECT_ID]));
    const [seen, watched] = [picture, film].map((content) => {
      const data = content?.analyses[0]?.data;
      return data?.case === "detections" ? data.value.detections[0] : undefined;
    });
    expect(seen).toMatchObject({ value: "cat", boxes: [] });
    expect(seen?.count).toBeUndefined();
    expect(watched?.moments[0]).toMatchObject({ end: 2, boxes: [] });
    expect([watched?.moments[0]?.at, watched?.moments[0]?.count]).toEqual([undefined, undefined]);
  });

  it("analyzes what is said and what is written apart, and shows the words", async () => {
    const [content] = await contentsOf(urls(["hello%20there%7CExit.mp4"], [SENTIMENT_SIMPLE, OBJECT_ID]));
    expect(content).toMatchObject({
      dimensions: [Dimension.VISUAL_VIDEO, Dimension.AUDIAL],
      analyses: [
        {
          source: Source.TRANSCRIPT,
          dimension: Dimension.AUDIAL,
          data: { value: { prob: lengthScore("hello there") } },
        },
        { source: Source.OCR, dimension: Dimension.VISUAL_VIDEO, data: { value: { prob: lengthScore("Exit") } } },
        { source: Source.CONTENT, data: { value: { detections: [{ moments: [{ start: 0, end: 2 }] }] } } },
      ],
      transcript: { text: "hello there", segments: [{ span: { start: 0, end: 1.5 }, text: "hello there" }] },
      ocrText: "Exit",
    });
  });

  it("invents nothing where nothing is said, and says so", async () => {
    const [silent] = await contentsOf(urls([".mp3"], [SENTIMENT_SIMPLE, CAPTION]));
    expect(silent).toMatchObject({
      dimensions: [Dimension.AUDIAL],
      analysisTypes: [SENTIMENT_SIMPLE],
      analyses: [],
      error: "sentiment-simple: nobody speaks in it; caption: not applicable to sound",
      errorCode: ContentErrorCode.NOT_APPLICABLE,
    });
    expect(harness.process.pool.calls).toEqual([]);
  });

  it("gives a reason that several analyses share in one sentence", async () => {
    const asked = [SENTIMENT_SIMPLE, OBJECT_ID, TOPIC, FACE_ID, CAPTION];
    const [silent] = await contentsOf(urls([".mp3"], asked));
    expect(silent?.error).toBe(
      "sentiment-simple, topic: nobody speaks in it; object-id, face-id, caption: not applicable to sound",
    );
  });

  it("does not call silent what it did not understand", async () => {
    const [sound, film] = await contentsOf(urls(["MUMBLING.mp3", "MUMBLING%7CExit.mp4"], [SENTIMENT_SIMPLE]));
    const reason = "transcript: somebody speaks in it, but not so that it could be understood";
    const errorCode = ContentErrorCode.SPEECH_UNCLEAR;
    expect(sound).toMatchObject({ analyses: [], error: `sentiment-simple: ${reason}`, errorCode });
    expect(film).toMatchObject({ analyses: [{ source: Source.OCR }], error: reason });
  });

  it("says what it did not understand beside what it did", async () => {
    const [sound] = await contentsOf(urls(["good%20MUMBLING.mp3"], [SENTIMENT_SIMPLE]));
    const error = "transcript: 2.5 s of speech are left out, which could not be understood";
    expect(sound).toMatchObject({ analyses: [{ source: Source.TRANSCRIPT }], error });
  });

  it("says how other languages could be understood, where they cannot", async () => {
    const [sound] = await contentsOf(urls(["ENGLISH%20ONLY.mp3"], [SENTIMENT_SIMPLE]));
    expect(sound?.error).toMatch(/only English can, without .* npm run models -- pull speech-languages$/);
  });

  it("tells the languages of what is said, of each part and of most of it", async () => {
    const [sound] = await contentsOf(urls(["buenos%20d%C3%ADas.mp3"], [SENTIMENT_SIMPLE]));
    expect(sound?.transcript).toMatchObject({ language: "es", supported: true, segments: [{ language: "es" }] });
    expect(sound?.analyses).toMatchObject([{ source: Source.TRANSCRIPT, language: "es" }]);
  });

  it("does not call empty what is written in a script that it cannot read, and says where that is", async () => {
    const [sign, both] = await contentsOf(urls(["FOREIGN.png", "Exit%20FOREIGN.png"], [SENTIMENT_SIMPLE, TOPIC]));
    const unreadWriting = [{ script: "Thai", box: { x: 0.1, y: 0.05, width: 0.2, height: 0.1, prob: 0.97 } }];
    const errorCode = ContentErrorCode.UNSUPPORTED_SCRIPT;
    const error = "sentiment-simple, topic: ocr: there is writing in Thai (at the top left) that cannot be read";
    expect(sign).toMatchObject({ analyses: [], ocrText: "", unreadWriting, error, errorCode });
    const also = "ocr: there is also writing in Thai (at the top left) that cannot be read";
    expect(both).toMatchObject({ ocrText: "Exit", unreadWriting, error: also, errorCode });
    expect(both?.analyses).toHaveLength(2);
  });

  it("takes the buttons and counters around a posting for no words of it", async () => {
    const post = "Late again\n12 Reposts 30 Likes";
    const [content] = await contentsOf(urls([`${encodeURIComponent(post)}.png`], [SENTIMENT_SIMPLE]));
    expect(content).toMatchObject({ ocrText: post });
    expect(content?.analyses[0]?.data.value).toMatchObject({ prob: lengthScore("Late again") });
  });

  it("does not ask for words that no analysis reads", async () => {
    await contentsOf(urls(["cat.png"], [OBJECT_ID]));
    expect(harness.process.files.calls).toMatchObject([{ analyses: ["object-id"], words: false, companyId: 1 }]);
  });

  it("tells which analysis could not be made", async () => {
    const [content] = await contentsOf(urls(["NOTHING.png"], [OBJECT_ID]));
    expect(content).toMatchObject({ analyses: [], error: "object-id: the model is missing" });
  });

  it("counts the contents that failed, in lists too, and gives each the code of its gravest reason", async () => {
    const files = ["broken.png", "NOTHING.png", "fine.png", "MUMBLING.mp3", ".mp3"];
    const { failedContents, data } = await run(urls(files, [OBJECT_ID, SENTIMENT_SIMPLE]));
    expect(data?.contents.map(({ errorCode }) => errorCode)).toEqual([
      ContentErrorCode.UNREADABLE,
      ContentErrorCode.ANALYSIS_FAILED,
      ContentErrorCode.UNSPECIFIED,
      ContentErrorCode.SPEECH_UNCLEAR,
      ContentErrorCode.NOT_APPLICABLE,
    ]);
    expect(failedContents).toBe(2);
    expect((await harness.client.listOperations({})).operations[0]).toMatchObject({ failedContents: 2 });
  });

  it("pools the words of a group, and says when there are none", async () => {
    const request = urls(["one.mp3", "two.png", "alone.png", ".mp3"], [PERSONALITY_MB], ["0,1", "3"]);
    const [first, second, third, silent] = await contentsOf(request);
    const pooled = { value: { group: true, prob1: lengthScore("one\ntwo") } };
    expect(first?.analyses).toMatchObject([{ source: Source.GROUP, groupIndex: 0, data: pooled }]);
    expect(second?.analyses).toMatchObject([{ source: Source.GROUP, groupIndex: 0, data: pooled }]);
    expect(third?.analyses).toMatchObject([{ source: Source.OCR, data: { value: { group: false } } }]);
    expect(silent).toMatchObject({ analyses: [], error: expect.stringContaining("no words") });
  });

  it("continues when one file is damaged, and says which", async () => {
    const [broken, whole] = await contentsOf(urls(["broken.png", "cat.png"], [OBJECT_ID]));
    expect(broken).toMatchObject({ analyses: [], dimensions: [], analysisTypes: [OBJECT_ID], error: "it is damaged" });
    expect(whole?.analyses).toHaveLength(1);
  });

  it("is invalid when no file could be read", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `broken-${index}.png`);
    const operation = await run(urls(names, [OBJECT_ID]));
    expect(operation.status).toBe(OperationStatus.INVALID);
    expect(operation.data).toBeUndefined();
    expect(operation.error).toMatch(
      /^None of the contents could be read\. contents\[0\]: it is damaged; .*; and 2 more$/,
    );
  });

  it("counts each file as it is done", async () => {
    const gate = new Gate();
    harness.process.files.before = ({ value }) => (value === 9 ? gate.pass() : undefined);
    harness.process.start();
    const { id } = await harness.client.createOperation(ids([1n, 2n, 9n]));
    await vi.waitFor(async () => {
      const { operation } = await harness.client.getOperation({ id });
      expect(operation?.progress).toMatchObject({ done: 2, total: 3 });
    });
    gate.open();
    expect(await ended(harness.client, id)).toMatchObject({ progress: { done: 3, total: 3 } });
  });

  it("is tried again when a file could not be had through our fault", async () => {
    let failures = 1;
    harness.process.files.before = () => {
      if (failures-- > 0) throw new Error("the storage is unavailable");
    };
    expect(await contentsOf(ids([1n]))).toHaveLength(1);
  });

  it("goes back to the queue, without the loss of an attempt, when the machine is too busy for a file", async () => {
    let late = true;
    let stopped = false;
    harness.process.files.before = (content, { signal }) => {
      signal?.addEventListener("abort", () => (stopped = true));
      if (late && content.value === 2) throw new LateFileError("too busy");
    };
    harness.process.start();
    const { id } = await harness.client.createOperation(ids([1n, 2n]));
    await vi.waitFor(async () => {
      expect(await harness.operations.get(Number(id))).toMatchObject({ status: "pending", attempts: 0, runs: 1 });
    });
    // The work in progress was stopped.
    expect(stopped).toBe(true);
    late = false;
    await publishRun(harness, Number(id));
    expect(await ended(harness.client, id)).toMatchObject({ status: OperationStatus.DONE, error: "" });
  });

  it("fails, and is not called invalid, when the machine is too busy again and again", async () => {
    harness.process.files.before = () => {
      throw new LateFileError("too busy");
    };
    const { id } = await harness.client.createOperation(ids([1n]));
    await harness.operations.update({ id: Number(id) }, { set: { runs: 9, attempts: 4 } });
    harness.process.start();
    expect(await ended(harness.client, id)).toMatchObject({ status: OperationStatus.FAILED, error: GAVE_UP });
  });

  it("takes over what an earlier run completed, words of groups included", async () => {
    const names = ["a.mp3", "b.mp3", "c.mp3", "d.mp3", "e.mp3"];
    let failures = 1;
    harness.process.files.before = (content) => {
      if (content.value.toString().endsWith("e.mp3") && failures-- > 0) throw new Error("the storage is unavailable");
    };
    const [first] = await contentsOf(urls(names, [PERSONALITY_MB]));
    expect(first?.analyses).toMatchObject([{ data: { value: { prob1: lengthScore("a\nb\nc\nd\ne") } } }]);
    expect(
      harness.process.files.calls.filter(({ content }) => content.value.toString().endsWith("a.mp3")),
    ).toHaveLength(1);
  });
});

describe("the files of an operation", () => {
  it("are claimed with it, and erased with it", async () => {
    const { id } = await harness.client.createOperation(ids([1n, 2n]));
    expect([...media.claims]).toEqual([[id, [1n, 2n]]]);
    expect((await failureOf(harness.client.createOperation(ids([2n])))).violations).toMatchObject([
      { field: "contents[0]" },
    ]);
    await harness.client.deleteOperation({ id });
    expect(media.claims.size).toBe(0);
  });

  it("are freed when a crash left them claimed for an operation that was never stored", async () => {
    const { id } = await harness.client.createOperation(ids([1n]));
    await harness.collections.cleanupNotes.put({ ...noteOf(Number(id)), files: true });
    await harness.operations.delete({ id: Number(id) });
    harness.process.start("relay", "sweeper");
    await vi.waitFor(() => expect(media.claims.size).toBe(0));
  });

  it("stay claimed while the operation exists", async () => {
    const { id } = await harness.client.createOperation(ids([1n]));
    await harness.collections.cleanupNotes.put({ ...noteOf(Number(id)), files: true });
    harness.process.start("relay", "sweeper");
    await vi.waitFor(async () => expect(await harness.collections.cleanupNotes.count({})).toBe(0));
    expect([...media.claims.keys()]).toEqual([id]);
  });
});

const noteOf = (id: number) => ({ id, companyId: 1, dueAt: 0, idempotency: null, requestHash: null, createdAt: 0 });
