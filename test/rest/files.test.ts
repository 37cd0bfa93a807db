import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typedClient } from "../grpc/typed-clients.js";
import { startServer, type TestServer } from "../support/server.js";
import { type ApiDocument, Documented } from "./documented.js";
import { fieldsOf, OPERATIONS, UPLOAD, User } from "./routes.js";
import { animation, photo, plainPicture, shortVideo, tone } from "./sample-files.js";

const VISUAL = ["face-id", "object-id", "activity-id", "logo-id", "caption"];

interface Places {
  count?: number;
  boxes?: number[][];
}

interface Detection extends Places {
  value: string;
  prob: number;
  moments?: ({ start: number; end: number; at?: number } & Places)[];
}

interface Content {
  content: number | string;
  dimensions: string[];
  analysis_types: string[];
  analyses: { type: string; source: string; dimension: string; data: unknown; model: object; nsfw?: object }[];
  error?: string;
  transcript?: object;
  ocr_text?: string;
  error_code?: string;
  unread_writing?: { script: string; box: number[] }[];
}

describe("operations on files", () => {
  let server: TestServer;
  let user: User;
  let documented: Documented;
  let site: Server;
  const hosted = new Map<string, Buffer>();

  beforeAll(async () => {
    server = await startServer({ ALLOW_PRIVATE_URLS: "true", OFFLINE: "1", NSFW_SCORE: "true" });
    user = await User.signIn(server);
    documented = new Documented((await server.send("GET", "/openapi.json")).body as ApiDocument);
    site = createServer((request, response) => {
      const body = hosted.get(request.url ?? "");
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await server.close();
    await new Promise((resolve) => site.close(resolve));
  });

  async function upload(bytes: Buffer): Promise<number> {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)]), "a file");
    const answer = await fetch(server.url + UPLOAD, {
      method: "POST",
      headers: { authorization: user.authorization },
      body: form,
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: number }).id;
  }

  function host(name: string, bytes: Buffer): string {
    hosted.set(`/${name}`, bytes);
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}`;
  }

  async function analyze(contents: (number | string)[], analyses: readonly string[]): Promise<Content[]> {
    const operation = await user.analyze({ type: "file", analyses, contents });
    expect(operation, JSON.stringify(operation)).toMatchObject({ status: "done" });
    expect(documented.differences(operation, { $ref: "#/components/schemas/Operation" })).toEqual([]);
    return (operation["data"] as { contents: Content[] }).contents;
  }

  const dataOf = (content: Content | undefined, type: string) =>
    (content?.analyses.find((analysis) => analysis.type === type)?.data ?? []) as Detection[];
  const valuesOf = (content: Content | undefined, type: string) => dataOf(content, type).map(({ value }) => value);

  async function sizeOf(id: number): Promise<{ width: number; height: number }> {
    const { width, height } = (await user.get(`${UPLOAD}/${id}`)).body as { width: number; height: number };
    return { width, height };
  }

  /** The boxes of a label without their probabilities: equally sure ones may change places. */
  const fromLeft = (detection: Detection | undefined) =>
    (detection?.boxes ?? []).map((box) => box.slice(0, 4)).toSorted(([a = 0], [b = 0]) => a - b);

  it("sees people, their faces and what a photo shows of them", async () => {
    const id = await upload(await photo(1));
    const [content] = await analyze([id], VISUAL);
    expect(content).toMatchObject({ content: id, dimensions: ["visual-image"], analysis_types: VISUAL });
    expect(content?.analyses.map(({ type }) => type)).toEqual(VISUAL);
    expect(valuesOf(content, "face-id")).toEqual(["face"]);
    expect(valuesOf(content, "object-id")).toContain("person");
    // The model for it is not part of the product.
    const nsfw = { error: expect.stringContaining("docs/own-models.md says where to get it") as string };
    expect(content?.analyses.filter((analysis) => analysis.nsfw !== undefined)).toMatchObject([
      { type: "object-id", nsfw },
    ]);
    const [caption] = dataOf(content, "caption") as unknown as { description: string }[];
    expect(caption?.description).toMatch(/person|people|man|men|woman|women/);
    for (const { model } of content?.analyses ?? []) {
      expect(model).toEqual({ id: expect.any(String) as string, version: expect.any(String) as string });
    }
  });

  it("says where something is written that it cannot read, and takes none of it for words", async () => {
    // As strokes, whose script is not surely named: a machine with only Node has no fonts.
    const letters = { Ш: "M0 0V6H4V0M2 0V6", И: "M0 0V6L4 0V6", Ж: "M2 0V6M0 0L2 3L0 6M4 0L2 3L4 6" };
    const word = (text: (keyof typeof letters)[], y: number) =>
      text.map((letter, at) => `<path d="${letters[letter]}" transform="translate(${80 + at * 70} ${y}) scale(12)"/>`);
    const strokes = [...word(["Ж", "И", "Ш", "И", "Ш"], 80), ...word(["И", "Ж", "И", "Ш"], 280)].join("");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="100%" height="100%" fill="#fff"/><g fill="none" stroke="#111" stroke-width="0.8">${strokes}</g></svg>`;
    const [content] = await analyze([await upload(await sharp(Buffer.from(svg)).png().toBuffer())], ["topic"]);
    expect(content).toMatchObject({ analyses: [], ocr_text: "", error_code: "unsupported_script" });
    expect(content?.error).toMatch(/^topic: ocr: there is writing in [A-Z][a-z]+ \(.*\).* that cannot be read$/);
    expect(content?.unread_writing?.[0]).toMatchObject({ box: expect.any(Array) as number[] });
  });

  it("says how many there are and where, as the picture is shown however it is stored", async () => {
    const upright = await photo(1);
    // Turned to the left, which viewers undo.
    const lying = await sharp(upright).rotate(270).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
    const ids = [await upload(upright), await upload(lying)];
    const [shown, shownTurned] = await Promise.all(ids.map(sizeOf));
    expect(shownTurned).toEqual(shown);
    const [plain, turned] = await analyze(ids, ["face-id", "object-id"]);
    for (const [type, label] of [
      ["face-id", "face"],
      ["object-id", "person"],
    ] as const) {
      const [found, again] = [plain, turned].map((content) =>
        dataOf(content, type).find(({ value }) => value === label),
      );
      expect(found?.count).toBe(3);
      expect(found?.boxes).toHaveLength(3);
      expect(found?.boxes?.[0]?.[4]).toBe(found?.prob);
      expect(fromLeft(again)).toEqual(
        fromLeft(found).map((box) => box.map((part) => expect.closeTo(part, 1) as number)),
      );
    }
  });

  it("says the same over Connect", async () => {
    const contents = [await upload(await photo(1))];
    const { id, data } = await user.analyze({ type: "file", analyses: ["face-id"], contents });
    const [face] = dataOf((data as { contents: Content[] }).contents[0], "face-id");
    const client = typedClient({ service: OperationService, protocol: "Connect in JSON" }, server, user.authorization);
    const { operation } = await client.getOperation({ id: BigInt(id as number) });
    const boxes = face?.boxes?.map(([x, y, width, height, prob]) => ({ x, y, width, height, prob }));
    expect(boxes).toHaveLength(3);
    expect(operation?.data?.contents[0]?.analyses[0]?.data.value).toMatchObject({
      detections: [{ value: "face", count: 3, boxes }],
    });
  });

  it("finds nothing in a picture that shows nothing", async () => {
    const [content] = await analyze([await upload(await plainPicture())], VISUAL.slice(0, 4));
    expect(content?.analyses.map(({ data }) => data)).toEqual([[], [], [], []]);
  });

  it("watches a video: when something was seen, and what happens", async () => {
    const [content] = await analyze([await upload(await shortVideo())], ["object-id", "caption"]);
    expect(content?.dimensions).toEqual(["visual-video", "audial"]);
    const person = dataOf(content, "object-id").find(({ value }) => value === "person");
    const [first] = person?.moments ?? [];
    expect(first).toMatchObject({ start: 0, count: first?.boxes?.length });
    expect(first?.at).toBeLessThan(first?.end ?? 0);
    for (const [x = NaN, y = NaN, wide = NaN, high = NaN] of first?.boxes ?? []) {
      expect(Math.min(x, y, wide, high)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x + wide, y + high)).toBeLessThanOrEqual(1);
    }
    expect(person).not.toHaveProperty("boxes");
    const [caption] = dataOf(content, "caption") as unknown as { duration: string; descriptions: object[] }[];
    expect(caption?.duration).toBe("00:00:04");
    expect(caption?.descriptions[0]).toMatchObject({ timestamp: "00:00:00" });
  });

  it("reads an animation at a URL, which no upload may be", async () => {
    const [content] = await analyze([host("a.gif", await animation())], ["object-id"]);
    expect(content?.dimensions).toEqual(["visual-gif"]);
  });

  it("says what is missing when there is sound and nothing that hears", async () => {
    const [content] = await analyze([await upload(await tone())], ["sentiment-simple", "face-id"]);
    expect(content).toMatchObject({ dimensions: ["audial"], analysis_types: ["sentiment-simple"], analyses: [] });
    expect(content?.error).toMatch(
      /^sentiment-simple: transcript: .*npm run models -- pull.*; face-id: not applicable to sound$/,
    );
  });

  it("analyzes what viewers show and players play, and says in a sentence what cannot be decoded", async () => {
    const picture = await photo(1);
    const files = [picture.subarray(0, -2), (await tone()).subarray(700), picture.subarray(0, picture.length >> 1)];
    const ids = await Promise.all(files.map(upload));
    const [shown, heard, half] = await analyze(ids, ["object-id"]);
    expect(valuesOf(shown, "object-id")).toContain("person");
    expect(heard).toMatchObject({ dimensions: ["audial"], error: "object-id: not applicable to sound" });
    expect(half).toMatchObject({ analyses: [], error_code: "unreadable" });
    expect(half?.error).toMatch(/^The file could not be decoded: [^\n]+$/);
  });

  it("continues with the neighbors of a file that cannot be had", async () => {
    const gone = host("gone.png", Buffer.from("this is no picture"));
    const [broken, whole] = await analyze([gone, host("blue.png", await plainPicture())], ["object-id"]);
    expect(broken?.error).toMatch(/no file that can be analyzed/);
    expect(whole?.analyses).toHaveLength(1);
  });

  it("is invalid when none can be had", async () => {
    const contents = [host("text.png", Buffer.from("no picture"))];
    const operation = await user.analyze({ type: "file", analyses: ["object-id"], contents });
    expect(operation).toMatchObject({
      status: "invalid",
      data: null,
      error: expect.stringContaining("contents[0]") as string,
    });
  });

  it("uses a file once, and frees it when the request is refused", async () => {
    const [first, second] = [await upload(await plainPicture()), await upload(await plainPicture("red"))];
    const body = (contents: number[]) => ({ type: "file", analyses: ["object-id"], contents });
    expect(fieldsOf(await user.post(OPERATIONS, body([first, 987_654])))).toEqual(["contents[1]"]);
    expect((await user.post(OPERATIONS, body([first]))).status).toBe(201);
    expect(fieldsOf(await user.post(OPERATIONS, body([second, first])))).toEqual(["contents[1]"]);
    expect((await user.post(OPERATIONS, body([second]))).status).toBe(201);
  });
});
