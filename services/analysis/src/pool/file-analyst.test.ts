import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { type Blobs, createLogger, createUrlFetcher, openFileBlobs } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UnreadableFileError } from "../media/probe/facts.js";
import {
  createFileAnalyst,
  type FileAnalysisRequest,
  type FileAnalyst,
  SiteTime,
  UnusableFileError,
} from "./file-analyst.js";
import type { MediaCallOptions, MediaFindings, MediaPool, MediaTask } from "./media-pool.js";
import { Scratch } from "./scratch.js";

/** One gray pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Analyses nothing but records its input. */
class FakePool implements MediaPool {
  readonly tasks: (MediaTask & { bytes: Buffer })[] = [];
  failure: Error | undefined;
  /** Awaited while a process analyzes a file. */
  onLook: () => Promise<void> = () => Promise.resolve();
  /** Awaited before a file gets a process. */
  place: Promise<void> = Promise.resolve();

  async analyze(task: MediaTask, { onBegun }: MediaCallOptions = {}): Promise<MediaFindings> {
    await this.place;
    onBegun?.();
    await this.onLook();
    this.tasks.push({ ...task, bytes: await readFile(task.file) });
    if (this.failure !== undefined) throw this.failure;
    return { results: {}, errors: {}, models: {}, timings: [{ analysis: "decoding", seconds: 1 }] };
  }

  analyzers = () => Promise.resolve([]);
  describeFace = () => Promise.resolve([]);
  close = () => Promise.resolve();
}

let folder: string;
let blobs: Blobs;
let pool: FakePool;
let scratch: Scratch;
let analyst: FileAnalyst;
let site: Server;
const answers: { status: number; body: Buffer }[] = [];
/** Paths requested from the site. */
const asked: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-analyst-"));
  blobs = await openFileBlobs({ folder });
  pool = new FakePool();
  scratch = await Scratch.open(folder);
  analyst = open({});
  site = createServer(({ url }, response) => {
    asked.push(url ?? "");
    if (url === "/slow") return;
    const { status, body } = answers.shift() ?? { status: 404, body: PNG };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  answers.length = asked.length = 0;
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  await scratch.close();
  await rm(folder, { recursive: true });
});

const open = (options: { faceRecognition?: boolean }): FileAnalyst =>
  createFileAnalyst({
    blobs,
    pool,
    scratch,
    fetcher: createUrlFetcher({ allowPrivateUrls: true }),
    limits: { imagePixelsMax: 100, durationMsMax: 1000 },
    processes: 1,
    urlFetches: 2,
    faceRecognition: false,
    log: createLogger("silent"),
    ...options,
  });
const upload = (id: number, ...bytes: Buffer[]) => blobs.put(`files/${id}`, chunks(bytes));
const chunks = (bytes: Buffer[]): AsyncIterable<Uint8Array> => ReadableStream.from(bytes);
const request: FileAnalysisRequest = { companyId: 5, analyses: ["object-id"], words: true };
const id = (value: number) => ({ kind: "file-id" as const, value });
const url = (path = "/a") => ({
  kind: "url" as const,
  value: `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`,
});
const scratchFiles = async () => {
  const [own = ""] = (await readdir(folder)).filter((name) => name.startsWith("hourglass-scratch-"));
  return readdir(path.join(folder, own));
};

describe("an uploaded file", () => {
  it("is looked at as what it is, and leaves nothing in the scratch folder", async () => {
    await upload(7, PNG);
    const timed: string[] = [];
    const findings = await analyst.analyze(id(7), { ...request, onTimed: ({ analysis }) => timed.push(analysis) });
    expect(findings.facts).toMatchObject({ format: "png", hasPictures: true, hasSound: false });
    expect(pool.tasks).toMatchObject([{ analyses: ["object-id"], readsText: true, transcribes: false, bytes: PNG }]);
    expect(timed).toEqual(["decoding"]);
    expect(await scratchFiles()).toEqual([]);
  });

  it("cannot be used once it is not stored any more", async () => {
    await expect(analyst.analyze(id(8), request)).rejects.toThrow(UnusableFileError);
  });

  it("that the pool cannot decode is unusable, and leaves nothing", async () => {
    await upload(7, PNG);
    pool.failure = new UnreadableFileError("The picture is damaged.");
    await expect(analyst.analyze(id(7), request)).rejects.toThrow(new UnusableFileError("The picture is damaged."));
    expect(await scratchFiles()).toEqual([]);
  });

  it("is not blamed when the pool cannot work", async () => {
    await upload(7, PNG);
    pool.failure = new Error("no process could be started");
    await expect(analyst.analyze(id(7), request)).rejects.not.toThrow(UnusableFileError);
  });
});

describe("a file at a URL", () => {
  it("may be an animation", async () => {
    answers.push({ status: 200, body: GIF });
    expect((await analyst.analyze(url(), request)).facts.format).toBe("gif");
  });

  it("is asked for again when the site was unavailable for a moment", async () => {
    answers.push({ status: 503, body: Buffer.alloc(0) }, { status: 200, body: PNG });
    expect((await analyst.analyze(url(), request)).facts.format).toBe("png");
  });

  it("cannot be used when there is none, or is something else", async () => {
    await expect(analyst.analyze(url(), request)).rejects.toThrow(UnusableFileError);
    answers.push({ status: 200, body: Buffer.from("<html>") });
    await expect(analyst.analyze(url(), request)).rejects.toThrow(/no file that can be analyzed.*PNG/);
    expect(pool.tasks).toEqual([]);
  });
});

describe("a company whose sites are slow", () => {
  const other: FileAnalysisRequest = { ...request, companyId: 6 };
  let slow: Promise<unknown>;
  let slowEnd: () => void;
  beforeEach(async () => {
    const stop = new AbortController();
    slow = Promise.allSettled(
      Array.from({ length: 5 }, () => analyst.analyze(url("/slow"), { ...request, signal: stop.signal })),
    );
    slowEnd = () => stop.abort(new Error("enough"));
    await vi.waitFor(() => expect(asked).toEqual(["/slow"]));
  });
  afterEach(async () => {
    slowEnd();
    await slow;
  });

  it("holds up none of another's files at URLs", async () => {
    answers.push({ status: 200, body: PNG });
    expect((await analyst.analyze(url(), other)).facts.format).toBe("png");
    expect(asked).toEqual(["/slow", "/a"]);
  });

  it("holds up no stored files, nor their analysis", async () => {
    await upload(7, PNG);
    expect((await analyst.analyze(id(7), other)).facts.format).toBe("png");
    expect((await analyst.analyze(id(7), request)).facts.format).toBe("png");
  });
});

describe("fetching", () => {
  it("continues for the next file while the pool looks at the one before", async () => {
    answers.push({ status: 200, body: PNG }, { status: 404, body: PNG });
    let end: () => void = () => undefined;
    const looking = new Promise<void>((resolve) => (end = resolve));
    pool.onLook = () => looking;
    const first = analyst.analyze(url(), request);
    await expect(analyst.analyze(url("/b"), request)).rejects.toThrow(UnusableFileError);
    end();
    expect((await first).facts.format).toBe("png");
  });

  it("waits while files that are fetched wait for the pool", async () => {
    let open: () => void = () => undefined;
    pool.place = new Promise<void>((resolve) => (open = resolve));
    answers.push({ status: 200, body: PNG }, { status: 200, body: PNG });
    const both = Promise.all([analyst.analyze(url("/first"), request), analyst.analyze(url("/second"), request)]);
    await vi.waitFor(async () => expect(await scratchFiles()).toHaveLength(1));
    expect(asked).toEqual(["/first"]);
    open();
    await both;
    expect(asked).toEqual(["/first", "/second"]);
  });

  it("ends for an operation whose sites have taken all their time", async () => {
    const siteTime = new SiteTime(1);
    siteTime.spend(29_999);
    answers.push({ status: 200, body: PNG });
    expect((await analyst.analyze(url(), { ...request, siteTime })).facts.format).toBe("png");
    siteTime.spend(20_001);
    await expect(analyst.analyze(url(), { ...request, siteTime })).rejects.toThrow(/took too long.*upload/);
    await upload(7, PNG);
    expect((await analyst.analyze(id(7), { ...request, siteTime })).facts.format).toBe("png");
    expect(asked).toEqual(["/a"]);
  });
});

describe("the gallery of a company", () => {
  const gallery = create(GallerySchema, {
    faces: [{ name: "Ada", descriptor: [0.5, 1] }],
    marks: [{ name: "Acme", png: PNG }],
  });
  beforeEach(async () => {
    await blobs.put("galleries/5", chunks([Buffer.from(toBinary(GallerySchema, gallery))]));
    await upload(7, PNG);
  });

  it("goes with its files only, without names of people", async () => {
    await analyst.analyze(id(7), request);
    await analyst.analyze(id(7), { ...request, companyId: 6 });
    const none = { faces: [], marks: [] };
    expect(pool.tasks.map((task) => task.gallery)).toMatchObject([{ faces: [], marks: [{ name: "Acme" }] }, none]);
  });

  it("names people where that is switched on", async () => {
    await open({ faceRecognition: true }).analyze(id(7), request);
    expect(pool.tasks[0]?.gallery.faces).toEqual([{ name: "Ada", descriptor: [0.5, 1] }]);
  });
});

it("removes the scratch folders of processes that are gone, and no others", async () => {
  const dead = await mkdtemp(path.join(folder, "hourglass-scratch-2147483646-"));
  const sameNumber = await mkdtemp(path.join(folder, `hourglass-scratch-${process.pid}-`)); // of process 1 before a restart
  const second = await Scratch.open(folder);
  const names = await readdir(folder);
  expect(names).not.toContain(path.basename(dead));
  expect(names).not.toContain(path.basename(sameNumber));
  expect(names.filter((name) => name.startsWith("hourglass-scratch-"))).toHaveLength(2);
  await second.close();
});
