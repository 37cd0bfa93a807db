import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MetaUpstream } from "./meta.js";

const MINUTE = 60_000;
const PROOF = createHmac("sha256", "hidden").update("secret").digest("hex");

let upstream: MetaUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await MetaUpstream.start({ token: "secret", appSecret: "hidden", now: () => time });
});
afterEach(() => upstream.close());

interface Answer {
  data: Record<string, unknown>[];
  paging?: { cursors: { after: string }; next?: string };
  error?: { code: number };
}

async function ask(
  params: Record<string, string> = {},
  path = "/v25.0/kestrel.demo/published_posts",
): Promise<Response> {
  const query = new URLSearchParams({ access_token: "secret", appsecret_proof: PROOF, ...params });
  return fetch(`${upstream.origin}${path}?${query.toString()}`);
}

const page = async (params: Record<string, string> = {}): Promise<Answer> =>
  (await (await ask(params)).json()) as Answer;

describe("the fake of Facebook's pages", () => {
  it("gives pages, newest first, whose last one has a cursor but no next", async () => {
    for (let number = 0; number < 5; number += 1) upstream.facebook.post({ at: time - number * MINUTE });
    const first = await page({ limit: "3" });
    const second = await page({ limit: "3", after: first.paging?.cursors.after ?? "" });
    expect([first.data.length, second.data.length]).toEqual([3, 2]);
    expect([first.paging?.next, second.paging?.next]).toEqual([expect.stringContaining("access_token="), undefined]);
    expect(second.paging?.cursors.after).toBeTypeOf("string");
  });

  it("states the fields that are asked for, under their aliases, and marks what it invents", async () => {
    const id = upstream.facebook.post({ likes: 7, shares: 0, text: "" });
    upstream.facebook.comment(id, { text: "Indeed" });
    const fields =
      "id,message,shares,comments.limit(1).summary(true){message},reactions.type(LIKE).limit(0).summary(total_count).as(like)";
    expect(await page({ fields })).toMatchObject({
      data: [{ id, like: { summary: { total_count: 7 } }, comments: { data: [{ message: "Indeed" }] }, demo: true }],
    });
    expect((await page({ fields })).data[0]).not.toHaveProperty("message");
  });

  it("gives posts and comments by their ids, or an error for all if one does not exist or lacks a field", async () => {
    const id = upstream.facebook.post();
    const comment = upstream.facebook.comment(id, { text: "Indeed" });
    const byIds = async (ids: string, fields: string): Promise<unknown> =>
      (await ask({ ids, fields }, "/v25.0/")).json();
    expect(await byIds(`${id},${comment}`, "id,message")).toMatchObject({
      [id]: { id },
      [comment]: { message: "Indeed" },
    });
    expect(await byIds(`${id},7`, "id")).toMatchObject({ error: { code: 100, error_subcode: 33 } });
    expect(await byIds(`${id},${comment}`, "shares")).toMatchObject({ error: { code: 100 } });
    upstream.facebook.leavesOutMissing = true;
    expect(await byIds(`${id},7`, "id")).not.toHaveProperty("7");
    expect(await byIds(Array(51).fill(id).join(","), "id")).toMatchObject({ error: { code: 100 } });
  });

  it("gives what was posted since a time, edited where it was edited, and nothing that was removed", async () => {
    const kept = upstream.facebook.post({ at: time - MINUTE });
    upstream.facebook.post({ at: time - 10 * MINUTE });
    const gone = upstream.facebook.post();
    upstream.facebook.edit(kept, "Corrected");
    upstream.facebook.remove(gone);
    const { data } = await page({ since: String((time - 5 * MINUTE) / 1000), fields: "id,message" });
    expect(data).toMatchObject([{ id: kept, message: "Corrected" }]);
  });

  it.each([
    [{ access_token: "wrong" }, 401, 190],
    [{ appsecret_proof: "wrong" }, 400, 100],
    [{ fields: "id,comments{" }, 400, 100],
    [{ limit: "101" }, 400, 100],
    [{ color: "red" }, 400, 100],
  ])("refuses %j", async (params, status, code) => {
    const response = await ask(params);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it("knows no other pages and paths", async () => {
    expect(await (await ask({}, "/v25.0/nobody/feed")).json()).toMatchObject({ error: { code: 803 } });
    expect(await (await ask({}, "/v25.0/kestrel.demo/albums")).json()).toMatchObject({ error: { code: 100 } });
  });

  it("states its usage, and refuses more calls than it allows in an hour", async () => {
    upstream.calls.limit = 2;
    expect((await ask()).headers.get("x-app-usage")).toContain('"call_count":50');
    await ask();
    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 4 } }]);
    time += 60 * MINUTE;
    expect((await ask()).status).toBe(200);
  });
});
