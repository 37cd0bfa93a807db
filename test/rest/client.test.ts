import { Hourglass, HourglassError, type UploadProgress } from "@hourglass/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";
import { plainPicture } from "./sample-files.js";

const POSTING = {
  platform: "reddit",
  post_date: "10/5/2026",
  post_time: "08:30:00",
  text_of_post: "I love the new museum in Lisbon!",
};

let server: TestServer;
let hourglass: Hourglass;

beforeAll(async () => {
  server = await startServer();
  hourglass = new Hourglass({ baseUrl: `${server.url}/` });
  await hourglass.signIn(EMAIL, PASSWORD);
});
afterAll(() => server.close());

const failureOf = async (call: Promise<unknown>): Promise<HourglassError> => {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (failure instanceof HourglassError) return failure;
  throw new Error("the call did not fail");
};

describe("the client", () => {
  it("waits for operations, and reads the list of all page by page", async () => {
    const text = { type: "text" as const, analyses: ["sentiment-simple" as const], contents: ["I love it."] };
    const done = await hourglass.analyze(text);
    expect([done.status, done.data?.contents[0]?.analyses[0]?.type]).toEqual(["done", "sentiment-simple"]);
    const same = await Promise.all([1, 2].map(() => hourglass.createOperation(text, "the same key")));
    expect(new Set(same).size).toBe(1);
    const ids: number[] = [];
    for await (const { id } of hourglass.operations({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([same[0], done.id]);
  });

  it("throws what the server refuses, with its code, every wrong field and the id of the request", async () => {
    const wrong = { type: "text" as const, analyses: [], contents: [""] };
    const failure = await failureOf(hourglass.createOperation(wrong));
    expect(failure).toMatchObject({ status: 400, code: "invalid_request", requestId: expect.any(String) as string });
    expect(failure.details.map(({ field }) => field)).toEqual(["analyses", "contents[0]"]);
    expect(
      await failureOf(hourglass.api.GET("/api/v2/products/insight/{id}", { params: { path: { id: 77 } } })),
    ).toMatchObject({
      status: 404,
      code: "insight_not_found",
    });
    expect(await failureOf(new Hourglass({ baseUrl: server.url, token: "none" }).waitForOperation(1))).toMatchObject({
      status: 401,
    });
  });

  it("signs out, and takes another token", async () => {
    const other = new Hourglass({ baseUrl: server.url });
    expect((await other.signIn(EMAIL, PASSWORD)).email).toBe(EMAIL);
    const { data } = await other.api.GET("/api/v2/server");
    expect(data?.limits.contents).toBe(1000);
    await other.signOut();
    expect(await failureOf(other.api.GET("/api/v2/server"))).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  it("ends a wait when its time is over, or when it is told to", async () => {
    const running = new Hourglass({
      baseUrl: server.url,
      fetch: () => Promise.resolve(Response.json({ id: 1, status: "running" })),
    });
    await expect(running.waitForOperation(1, { timeoutMs: 20 })).rejects.toMatchObject({ name: "TimeoutError" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(running.waitForOperation(1, { signal })).rejects.toThrow("enough");
  });

  it("uploads a file, and tells how far it is", async () => {
    const file = new Blob([await plainPicture()]);
    const progress: UploadProgress[] = [];
    const id = await hourglass.upload(file, { name: 'a "picture".png', onProgress: (state) => progress.push(state) });
    expect(progress.at(-1)).toEqual({ sent: file.size, total: file.size });
    const { data } = await hourglass.api.GET("/api/v2/products/api/operations/upload/{id}", {
      params: { path: { id } },
    });
    expect(data).toMatchObject({ id, type: "png", size: file.size });
    expect(await hourglass.upload(file)).toBeGreaterThan(id);
    expect(await failureOf(hourglass.upload(new Blob(["no picture"]), { onProgress: () => undefined }))).toMatchObject({
      status: 400,
    });
  });

  it("creates an insight and an export, counts postings, and reads them one by one", async () => {
    const query = { keywords: "museum", platforms: ["reddit" as const], dimensions: ["textual" as const] };
    const id = await hourglass.createInsight({ query });
    const lines = [1, 2, 3].map((social) => JSON.stringify({ ...POSTING, social_id: `t3_${social}` }));
    await hourglass.api.POST("/api/v2/products/insight/{id}/postings", {
      params: { path: { id } },
      headers: { "Content-Type": "application/x-ndjson" },
      body: new Blob([lines.join("\n")]),
      bodySerializer: (body) => body,
    });
    const range = { insight_search_ids: [id], start_date: "2026-10-01", end_date: "2026-11-01" };
    const made = await hourglass.waitForExport(await hourglass.createExport(range));
    expect(made).toMatchObject({ status: "done", rows: 3 });
    const exported: (string | null)[] = [];
    for await (const posting of hourglass.exportedPostings(made.id)) exported.push(posting.social_id);
    expect(exported.sort()).toEqual(["t3_1", "t3_2", "t3_3"]);
    const read: (string | null)[] = [];
    for await (const posting of hourglass.postings(id, { limit: 2 })) read.push(posting.social_id);
    expect(read.sort()).toEqual(exported);
    const days = { start_date: range.start_date, end_date: range.end_date, interval: "week" as const };
    expect((await hourglass.summary(id, days)).totals.postings).toBe(3);
    for await (const { id: first } of hourglass.insights()) expect(first).toBe(id);
    for await (const { id: first } of hourglass.exports()) expect(first).toBe(made.id);
  });
});
