import { create } from "@bufbuild/protobuf";
import { ExportFormat, ExportSchema, ExportStatus } from "@hourglass/proto/export/v1/export_service";
import { InsightDimension, InsightSchema, InsightStatus, Platform } from "@hourglass/proto/insight/v1/insight";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "./testing/gateway-under-test.js";

const INSIGHTS = "/api/v2/products/insight";

describe("insights and exports through the gateway", () => {
  const gateway = new GatewayClient();
  const { start, get, post } = gateway;

  afterEach(() => gateway.stop());

  describe("insights", () => {
    it("answers a creation with a notice, and its id in Location only", async () => {
      const seen: unknown[] = [];
      await start({
        insight: {
          createInsight: ({ query, idempotencyKey }) => {
            seen.push(query?.platforms, query?.sneakPeek, query?.location, idempotencyKey);
            return Promise.resolve({ id: 12n, notice: "It runs." });
          },
        },
      });
      const query = { keywords: "a", platforms: ["youtube-videos"], dimensions: ["visual"], location: null };
      const response = await post(INSIGHTS, { query }, { "idempotency-key": "k1" });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ notice: "It runs." });
      expect(response.headers.get("location")).toBe(`${INSIGHTS}/12`);
      expect(seen).toEqual([[Platform.YOUTUBE_VIDEOS], false, "", "k1"]);
    });

    it.each(["pause", "resume"])("answers 400 to the %s of an insight that is not there", async (verb) => {
      const missing = () => Promise.reject(new AppError("not-found", "There is no such insight."));
      await start({ insight: { pauseInsight: missing, resumeInsight: missing } });
      for (const id of ["5", "x", "%zz", "0"]) {
        const response = await fetch(`${gateway.url}${INSIGHTS}/${id}/${verb}`, {
          method: "PUT",
          headers: { authorization: AUTHORIZATION },
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toHaveProperty("error");
      }
    });

    it("shows the record as the interface spells it", async () => {
      const insight = create(InsightSchema, {
        id: 3n,
        status: InsightStatus.RUNNING,
        query: { keywords: "a", platforms: [Platform.NEWS], dimensions: [InsightDimension.TEXTUAL], sneakPeek: true },
        platforms: [{ platform: Platform.NEWS, state: "collecting", postingCount: 7n }],
        createdAt: { seconds: 1n, nanos: 0 },
      });
      await start({
        insight: {
          getInsight: () => Promise.resolve({ insight }),
          listInsights: () => Promise.resolve({ insights: [insight], nextCursor: "c" }),
        },
      });
      const record = {
        id: 3,
        status: "running",
        query: { keywords: "a", platforms: ["news"], dimensions: ["textual"], location: null, sneak_peek: true },
        platforms: [{ platform: "news", state: "collecting", posting_count: 7, last_error: null }],
        created_at: "1970-01-01T00:00:01.000Z",
      };
      expect(await (await get(`${INSIGHTS}/3`)).json()).toEqual(record);
      expect(await (await get(INSIGHTS)).json()).toEqual({ insights: [record], next_cursor: "c" });
    });
  });

  describe("exports", () => {
    const done = create(ExportSchema, {
      id: 9n,
      status: ExportStatus.DONE,
      query: { insightSearchIds: [1n, 2n], startDate: "2026-01-01", endDate: "2026-01-02" },
    });
    const rendered = {
      [ExportFormat.JSON]: '[{"a":1}]',
      [ExportFormat.CSV]: "a\r\n1\r\n",
      [ExportFormat.NDJSON]: '{"a":1}\n',
    };

    async function startWithExport(): Promise<void> {
      await start({
        export: {
          getExport: () => Promise.resolve({ export: done }),
          async *readExport({ format }) {
            const bytes = Buffer.from((rendered as Record<number, string>)[format] ?? "");
            for (const byte of bytes) yield { chunk: Buffer.of(byte) };
          },
          createExport: () => Promise.resolve({ id: 9n }),
        },
      });
    }

    it.each([`${INSIGHTS}/exports`, "/api/v2/products/api/exports"])("serves %s", async (path) => {
      await startWithExport();
      const body = { insight_search_ids: [1, 2], start_date: "2026-01-01", end_date: "2026-01-02" };
      const created = await post(path, body);
      expect(created.status).toBe(201);
      expect(created.headers.get("location")).toBe(`${INSIGHTS}/exports/9`);
      const read = await get(`${path}/9`);
      expect(await read.json()).toEqual({
        id: 9,
        status: "done",
        query: body,
        created_at: null,
        finished_at: null,
        data: [{ a: 1 }],
      });
      expect((await post(path, body, { authorization: "Bearer no-insight" })).status).toBe(403);
      expect((await post(path, body, { authorization: "Bearer no-api" })).status).toBe(201);
    });

    it.each([
      ["text/csv", "a\r\n1\r\n", "csv"],
      ["application/x-ndjson", '{"a":1}\n', "ndjson"],
    ])("answers %s with a download", async (type, body, extension) => {
      await startWithExport();
      const response = await get(`${INSIGHTS}/exports/9`, { accept: `${type}, */*;q=0.1` });
      expect(await response.text()).toBe(body);
      expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(response.headers.get("content-disposition")).toBe(`attachment; filename="export-9.${extension}"`);
    });

    it("names every wrong field", async () => {
      await startWithExport();
      const body = { insight_search_ids: [1, "2", 1.5, 0, -1, 2 ** 53], start_date: "2026-13-01" };
      const { details } = (await (await post(`${INSIGHTS}/exports`, body)).json()) as { details: { field: string }[] };
      expect(details.map(({ field }) => field)).toEqual([
        ...[1, 2, 3, 4, 5].map((index) => `insight_search_ids[${index}]`),
        "end_date",
        "start_date",
      ]);
    });
  });
});
