import { ExportFormat, ExportStatus } from "@hourglass/proto/export/v1/export";
import { CsvDelimiter } from "@hourglass/proto/export/v1/export_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXPORTED, FakeExports, LINK_TOKEN } from "../testing/fake-exports.js";
import { GatewayClient } from "../testing/gateway-under-test.js";

const EXPORTS = "/api/v2/products/insight/exports";
const CSV = EXPORTED[ExportFormat.CSV] ?? "";

describe("exports through the gateway", () => {
  const gateway = new GatewayClient();
  const { get, post, raw } = gateway;
  let exports: FakeExports;

  beforeEach(async () => {
    exports = new FakeExports();
    await gateway.start({ export: exports.handlers });
  });
  afterEach(() => gateway.stop());

  async function fieldsOf(response: Response): Promise<string[]> {
    expect(response.status).toBe(400);
    const { details } = (await response.json()) as { details: { field: string }[] };
    return details.map(({ field }) => field);
  }

  describe("the record", () => {
    it.each([EXPORTS, "/api/v2/products/api/exports"])("is served at %s", async (path) => {
      const body = { insight_search_ids: [1, 2], start_date: "2026-01-01", end_date: "2026-01-02" };
      const created = await post(path, body);
      expect(created.status).toBe(201);
      expect(created.headers.get("location")).toBe(`${EXPORTS}/9`);
      expect(await (await get(`${path}/9`)).json()).toEqual({
        id: 9,
        status: "done",
        query: body,
        progress: { done: 1, total: 2, analysed: 2, rendered: 1 },
        rows: 2,
        files: [{ format: "csv", size: 9 }],
        created_by: null,
        created_at: null,
        finished_at: null,
        expires_at: null,
        revised_at: null,
        coverage: [
          {
            insight_search_id: 1,
            platforms: [
              { platform: "news", spans: [{ start: null, end: null, completeness: "thin", reasons: ["outage"] }] },
            ],
          },
        ],
        data: [{ a: 1 }, { a: 2 }],
      });
      expect((await post(path, body, { authorization: "Bearer no-insight" })).status).toBe(403);
      expect((await post(path, body, { authorization: "Bearer no-api" })).status).toBe(201);
    });

    it("has no data before it is done, and says when to look again", async () => {
      exports.status = ExportStatus.RUNNING;
      const response = await get(`${EXPORTS}/9`);
      expect(response.status).toBe(200);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await response.json()).toMatchObject({ status: "running", rows: null, files: [], data: null });
    });

    it("is listed without data, and deleted", async () => {
      const { exports: listed } = (await (await get(EXPORTS)).json()) as { exports: object[] };
      expect(listed).toMatchObject([{ id: 9, progress: { total: 2 } }]);
      expect(listed[0]).not.toHaveProperty("data");
      expect((await raw(`${EXPORTS}/9`, {}, "DELETE")).status).toBe(204);
      expect(exports.deleted).toBe(1);
    });

    it("is refused with the name of every wrong field", async () => {
      const body = { insight_search_ids: [1, "2", 1.5, 0, -1, 2 ** 53], start_date: "2026-13-01" };
      expect(await fieldsOf(await post(EXPORTS, body))).toEqual([
        ...[1, 2, 3, 4, 5].map((index) => `insight_search_ids[${index}]`),
        "end_date",
        "start_date",
      ]);
    });
  });

  describe("the format", () => {
    it.each([
      ["text/csv", "csv"],
      ["text/csv, */*;q=0.1", "csv"],
      ["application/x-ndjson", "ndjson"],
      ["application/vnd.apache.parquet;q=0.9, application/json;q=0.2", "parquet"],
      ["text/csv;q=0.1, application/json", undefined],
      ["text/csv;q=0", undefined],
      ["text/html, application/xhtml+xml, */*;q=0.8", undefined],
      ["image/png", undefined],
    ])("of Accept: %s is chosen by its weights", async (accept, extension) => {
      const response = await raw(`${EXPORTS}/9`, { accept });
      const disposition = response.headers["content-disposition"];
      expect(disposition).toBe(extension && `attachment; filename="export-9.${extension}"`);
      expect(response.headers.vary).toBe("Accept, Accept-Encoding");
    });

    it.each([
      ["json", "application/json; charset=utf-8", ExportFormat.JSON],
      ["ndjson", "application/x-ndjson; charset=utf-8", ExportFormat.NDJSON],
      ["csv", "text/csv; charset=utf-8", ExportFormat.CSV],
      ["parquet", "application/vnd.apache.parquet", ExportFormat.PARQUET],
    ])("of a download may be %s, whatever is accepted", async (format, type, key) => {
      const { headers, body } = await raw(`${EXPORTS}/9/download?format=${format}`, { accept: "text/html" });
      expect(body.toString()).toBe(EXPORTED[key]);
      expect(headers["content-type"]).toBe(type);
      expect(headers["content-length"]).toBe(String(body.length));
      expect(headers["content-disposition"]).toBe(`attachment; filename="export-9.${format}"`);
    });

    it("of a download that names none is the one that is accepted, else a JSON array", async () => {
      expect((await raw(`${EXPORTS}/9/download`, { accept: "text/csv" })).body.toString()).toBe(CSV);
      expect((await raw(`${EXPORTS}/9/download`)).body.toString()).toBe(EXPORTED[ExportFormat.JSON]);
    });

    it.each([
      ["format=xml", ["format"]],
      ["delimiter=pipe", ["delimiter"]],
      ["columns=platform,text", ["columns"]],
      ["columns=", ["columns"]],
      ["columns=platform&ids_only=true", ["ids_only"]],
      ["bom=yes&ids_only=2&format=", ["bom", "format", "ids_only"]],
    ])("is refused by the name of what is unknown: %s", async (query, fields) => {
      expect((await fieldsOf(await get(`${EXPORTS}/9/download?${query}`))).sort()).toEqual(fields);
    });
  });

  describe("the form", () => {
    it.each([
      ["columns=terms,platform&columns=terms", { columns: ["terms", "platform"] }],
      ["ids_only=where_required&columns=terms", { columns: ["terms"], flaggedIdsOnly: true }],
      ["ids_only=where_required", { columns: [], flaggedIdsOnly: true }],
      ["ids_only=true", { columns: ["platform", "social_id", "social_url"] }],
      ["delimiter=semicolon&bom=true", { csvDelimiter: CsvDelimiter.SEMICOLON, csvBom: true }],
      ["delimiter=tab", { csvDelimiter: CsvDelimiter.TAB }],
    ])("asked for by %s is rendered while it is read, without length and ranges", async (query, form) => {
      const response = await raw(`${EXPORTS}/9/download?format=csv&${query}`, { range: "bytes=2-" });
      expect(response.status).toBe(200);
      expect(response.headers["content-length"]).toBeUndefined();
      expect(response.headers["accept-ranges"]).toBe("none");
      expect(exports.readings).toMatchObject([{ form, infoOnly: true }, { form }]);
    });

    it.each(["delimiter=comma&bom=false", "ids_only=false"])("is that of the stored bytes with %s", async (query) => {
      expect((await raw(`${EXPORTS}/9/download?format=csv&${query}`)).headers["content-length"]).toBe("9");
    });

    it("applies to the data of the record as well", async () => {
      expect(await (await get(`${EXPORTS}/9?columns=platform`)).json()).toMatchObject({ data: [{ a: 1 }, { a: 2 }] });
      expect(exports.readings[1]).toMatchObject({ form: { columns: ["platform"] } });
    });
  });

  describe("the object with its data", () => {
    it("can be read in ranges and has a tag, like the files", async () => {
      const whole = await raw(`${EXPORTS}/9`);
      expect(whole.headers["content-length"]).toBe(String(whole.body.length));
      expect(JSON.parse(whole.body.toString())).toMatchObject({ data: [{ a: 1 }, { a: 2 }] });
      const { length } = whole.body;
      for (let start = 0; start < length; start += 7) {
        for (const end of [start + 1, start + 9, length]) {
          const { status, body } = await raw(`${EXPORTS}/9`, { range: `bytes=${start}-${end - 1}` });
          expect([status, body.toString()]).toEqual([206, whole.body.subarray(start, end).toString()]);
        }
      }
      const tag = String(whole.headers.etag);
      expect((await raw(`${EXPORTS}/9`, { "if-none-match": tag })).status).toBe(304);
    });
  });

  describe("a link", () => {
    it("is an address that works without a token, with ranges", async () => {
      const created = await post(`${EXPORTS}/9/links`, { format: "csv" });
      expect(created.status).toBe(201);
      const { url, expires_at: expiresAt } = (await created.json()) as { url: string; expires_at: string };
      expect([url, expiresAt]).toEqual([`${gateway.url}${EXPORTS}/links/${LINK_TOKEN}`, "1970-01-01T00:05:00.000Z"]);
      const response = await fetch(url, { headers: { range: "bytes=3-" } });
      expect([response.status, await response.text()]).toEqual([206, CSV.slice(3)]);
      expect(response.headers.get("content-disposition")).toBe('attachment; filename="export-9.csv"');
    });

    it("is 404 once it was changed", async () => {
      expect((await fetch(`${gateway.url}${EXPORTS}/links/${LINK_TOKEN}x`)).status).toBe(404);
    });

    it("is refused for an unknown format", async () => {
      expect(await fieldsOf(await post(`${EXPORTS}/9/links`, { format: "xlsx" }))).toEqual(["format"]);
      expect(await fieldsOf(await post(`${EXPORTS}/9/links`, {}))).toEqual(["format"]);
    });
  });
});
