import { Hourglass } from "@hourglass/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { EXPORTS, type Failure, fieldsOf, INSIGHTS, OPERATIONS, TEXT_OPERATION, User } from "./routes.js";

const CONNECT = {
  operations: "/hourglass.operation.v1.OperationService/ListOperations",
  insights: "/hourglass.insight.v1.InsightService/ListInsights",
  exports: "/hourglass.export.v1.ExportService/ListExports",
};
const WINTER = { campaign: "winter", "a.b&c": "ü=1", constructor: "" };

type Name = keyof typeof CONNECT;
type Page = Record<Name, { id: number; metadata?: object }[]> & { next_cursor: string | null };

describe("metadata", () => {
  let server: TestServer;
  let user: User;
  let insight = 0;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none" });
    user = await User.signIn(server);
    insight = await create("insights", {});
  });
  afterAll(() => server.close());

  const PATHS = { operations: OPERATIONS, insights: INSIGHTS, exports: EXPORTS };
  const bodies = (): Record<Name, object> => ({
    operations: TEXT_OPERATION,
    insights: { query: { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] } },
    exports: { insight_search_ids: [insight], start_date: "2026-01-01", end_date: "2026-02-01" },
  });

  async function create(name: Name, labels: object): Promise<number> {
    const answer = await user.post(PATHS[name], { ...bodies()[name], ...labels });
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.body as { id: number }).id;
  }

  async function listed(name: Name, query: string): Promise<Page[Name]> {
    const answer = await user.get(`${PATHS[name]}?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.body as Page)[name];
  }

  describe.each(["operations", "insights", "exports"] as const)("of %s", (name) => {
    it("are kept, returned and filtered by, through all doors", async () => {
      const first = await create(name, { metadata: WINTER });
      await create(name, { metadata: { campaign: "summer" } });
      const last = await create(name, { metadata: { campaign: "winter", ticket: "4711" } });
      const plain = await create(name, { metadata: null });
      expect((await user.get(`${PATHS[name]}/${first}`)).body).toMatchObject({ metadata: WINTER });
      expect((await user.get(`${PATHS[name]}/${plain}`)).body).not.toHaveProperty("metadata");
      const ids = async (query: string) => (await listed(name, query)).map(({ id }) => id);
      expect(await listed(name, "metadata.campaign=winter&limit=1")).toMatchObject([
        { id: last, metadata: { campaign: "winter", ticket: "4711" } },
      ]);
      expect(await ids("metadata.campaign=winter")).toEqual([last, first]);
      expect(await ids("metadata.campaign=winter&metadata.ticket=4711")).toEqual([last]);
      expect(
        await ids(`metadata.${encodeURIComponent("a.b&c")}=${encodeURIComponent("ü=1")}&metadata.constructor=`),
      ).toEqual([first]);
      expect(await ids("metadata.campaign=Winter")).toEqual([]);
      const headers = { "content-type": "application/json" };
      const answer = await user.post(CONNECT[name], { metadata: { campaign: "winter" }, limit: 5 }, headers);
      expect((answer.body as Record<Name, { id: string }[]>)[name].map(({ id }) => Number(id))).toEqual([last, first]);
      const client = new Hourglass({ baseUrl: server.url, token: user.authorization.replace("Bearer ", "") });
      const all: number[] = [];
      for await (const { id } of client[name]({ limit: 1, metadata: { campaign: "winter", "a.b&c": "ü=1" } }))
        all.push(id);
      expect(all).toEqual([first]);
    });

    it("are filtered by with cursors of their own, and names of the contract", async () => {
      const { next_cursor: cursor } = (await user.get(`${PATHS[name]}?limit=1&metadata.campaign=winter`)).body as Page;
      const after = `${PATHS[name]}?cursor=${cursor}`;
      expect((await user.get(`${after}&metadata.campaign=winter`)).status).toBe(200);
      for (const query of ["", "&metadata.campaign=summer", "&metadata.campaign=winter&metadata.ticket=4711"]) {
        const refused = await user.get(after + query);
        expect([query, refused.status, fieldsOf(refused)]).toEqual([query, 400, ["cursor"]]);
      }
      const key = "k".repeat(41);
      const wrong = await user.get(`${PATHS[name]}?metadata.${key}=a&metadata.long=${"x".repeat(501)}`);
      expect([wrong.status, fieldsOf(wrong).sort()]).toEqual([400, [`metadata.${key}`, "metadata.long"]]);
      const twice = await user.get(`${PATHS[name]}?metadata.a=1&metadata.a=2&metadat.a=1&metadata.=1&metadata=1`);
      expect([twice.status, fieldsOf(twice).sort()]).toEqual([
        400,
        ["metadat.a", "metadata", "metadata.", "metadata.a"],
      ]);
      const many = Array.from({ length: 17 }, (_, index) => `metadata.k${index}=1`).join("&");
      expect(fieldsOf(await user.get(`${PATHS[name]}?${many}`))).toEqual(["metadata"]);
    });

    it("are refused beyond their limits", async () => {
      const metadata = { long: "x".repeat(501), number: 1 };
      const refused = await user.post(PATHS[name], { ...bodies()[name], metadata });
      expect([refused.status, fieldsOf(refused).sort()]).toEqual([400, ["metadata.number", 'metadata["long"]']]);
    });
  });

  it("of an insight are replaced as a whole, count for If-Match, make no version and are in the audit", async () => {
    const path = `${INSIGHTS}/${await create("insights", { metadata: WINTER })}`;
    const etag = (await user.get(path)).headers.get("etag") ?? "";
    const change = (body: object, headers = {}) => user.send("PATCH", path, { body, headers });
    expect((await change({ metadata: { b: "2" } })).body).toMatchObject({ metadata: { b: "2" }, version: 1 });
    expect((await user.get(path)).body).toMatchObject({ metadata: { b: "2" } });
    const late = await change({ metadata: {} }, { "if-match": etag });
    expect([late.status, (late.body as Failure).code]).toEqual([412, "precondition_failed"]);
    expect(await listed("insights", "metadata.b=2")).toHaveLength(1);
    expect((await change({ name: "Kestrels" })).body).toMatchObject({ metadata: { b: "2" } });
    expect((await change({ metadata: {} })).body).not.toHaveProperty("metadata");
    const wrong = await change({ metadata: { long: "x".repeat(501) } });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['metadata["long"]']]);
    const { events } = (await user.get("/api/v2/audit?action=insight.update&limit=3")).body as {
      events: { changes: object }[];
    };
    expect(events.map(({ changes }) => changes)).toContainEqual({ metadata: { from: WINTER, to: { b: "2" } } });
  });
});
