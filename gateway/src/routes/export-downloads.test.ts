import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ExportFormat, ExportStatus } from "@hourglass/proto/export/v1/export";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXPORTED, FakeExports } from "../testing/fake-exports.js";
import { AUTHORIZATION, GatewayClient, type GatewayUnderTest } from "../testing/gateway-under-test.js";

const EXPORTS = "/api/v2/products/insight/exports";
const CSV = EXPORTED[ExportFormat.CSV] ?? "";

describe("a download of an export through the gateway", () => {
  const gateway = new GatewayClient();
  const { raw } = gateway;
  let exports: FakeExports;
  let served: GatewayUnderTest;

  beforeEach(async () => {
    exports = new FakeExports();
    served = await gateway.start({ export: exports.handlers });
  });
  afterEach(() => gateway.stop());

  const path = `${EXPORTS}/9/download?format=csv`;

  it.each([
    ["bytes=0-2", 0, 3],
    ["bytes=3-", 3, 9],
    ["Bytes=3-", 3, 9],
    ["bytes=-2", 7, 9],
    ["bytes=5-99", 5, 9],
    ["bytes=-99", 0, 9],
  ])("answers %s with that range", async (range, start, end) => {
    const { status, headers, body } = await raw(path, { range, "accept-encoding": "gzip" });
    expect(status).toBe(206);
    expect(body.toString()).toBe(CSV.slice(start, end));
    expect(headers["content-range"]).toBe(`bytes ${start}-${end - 1}/9`);
    expect(headers["content-length"]).toBe(String(end - start));
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it.each(["bytes=0-1,4-5", "bytes=a-b", "lines=1-2", "lines=9-", "bytes"])(
    "answers %s with everything",
    async (range) => {
      const { status, body } = await raw(path, { range });
      expect(status).toBe(200);
      expect(body.toString()).toBe(CSV);
    },
  );

  it("refuses a range beyond the end, and says where the end is", async () => {
    const { status, headers, body } = await raw(path, { range: "bytes=9-" });
    expect(status).toBe(416);
    expect(headers["content-range"]).toBe("bytes */9");
    expect(JSON.parse(body.toString())).toMatchObject({ code: "range_not_satisfiable" });
  });

  it("continues where a client stopped only if the bytes are still the same", async () => {
    const resume = (tag: string) => raw(path, { range: "bytes=3-", "if-range": tag });
    expect(await resume('"tag1"')).toMatchObject({ status: 206 });
    expect(await resume('W/"tag1"')).toMatchObject({ status: 200 });
    expect(await resume('"tag0"')).toMatchObject({ status: 200 });
    expect(await resume("Sat, 01 Jan 2028 00:00:00 GMT")).toMatchObject({ status: 200 });
  });

  it("is not sent again to a client that has it", async () => {
    const { headers } = await raw(path);
    expect(headers.etag).toBe('"tag1"');
    for (const known of ['"tag1"', 'W/"tag1"', '"a", "tag1"', "*"]) {
      const { status, body } = await raw(path, { "if-none-match": known, "cache-control": "no-cache" });
      expect([status, body.length]).toEqual([304, 0]);
    }
    exports.tag = "tag2";
    expect((await raw(path, { "if-none-match": '"tag1"' })).status).toBe(200);
  });

  it.each([
    ["gzip", "gzip", gunzipSync],
    ["br;q=1, gzip;q=0.5", "br", brotliDecompressSync],
    ["gzip, deflate, br;q=0.9", "gzip", gunzipSync],
  ])("is compressed for Accept-Encoding: %s, with its own tag", async (accepted, coding, decompress) => {
    const { headers, body } = await raw(path, { "accept-encoding": accepted });
    expect(decompress(body).toString()).toBe(CSV);
    expect(headers["content-encoding"]).toBe(coding);
    expect(headers["content-length"]).toBeUndefined();
    expect(headers.etag).toBe(`"tag1-${coding}"`);
    expect((await raw(path, { "accept-encoding": accepted, "if-none-match": `"tag1-${coding}"` })).status).toBe(304);
  });

  it.each(["identity", "gzip;q=0", "deflate", "*;q=0"])(
    "is not compressed for Accept-Encoding: %s",
    async (accepted) => {
      const { headers, body } = await raw(path, { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBeUndefined();
      expect(body.toString()).toBe(CSV);
    },
  );

  it("is not compressed if its format is", async () => {
    const { headers } = await raw(`${EXPORTS}/9/download?format=parquet`, { "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["content-length"]).toBe("9");
  });

  it("has the same headers without the body for HEAD", async () => {
    const { status, headers, body } = await raw(path, {}, "HEAD");
    expect([status, headers["content-length"], headers.etag, body.length]).toEqual([200, "9", '"tag1"', 0]);
    expect(exports.readings).toMatchObject([{ infoOnly: true }]);
  });

  it("is refused while the export is not done, and says when to look again", async () => {
    exports.status = ExportStatus.PENDING;
    for (const [url, accept] of [
      [path, "*/*"],
      [`${EXPORTS}/9`, "text/csv"],
    ] as const) {
      const { status, headers, body } = await raw(url, { accept });
      expect([status, headers["retry-after"]]).toEqual([409, "2"]);
      expect(JSON.parse(body.toString())).toMatchObject({ code: "export_not_done" });
    }
  });

  it("is cut if the export is revised meanwhile, compressed or not", async () => {
    for (const accepted of ["identity", "gzip"]) {
      let bytes = 0;
      exports.tag = "tag1";
      exports.onByte = () => {
        if (++bytes === 5) exports.tag = "tag2";
      };
      await expect(raw(path, { "accept-encoding": accepted })).rejects.toThrow();
    }
  });

  it("is that of the new bytes if the export is revised before the first of them", async () => {
    exports.onInfo = () => {
      exports.tag = "tag2";
      exports.onInfo = () => undefined;
    };
    const { headers, body } = await raw(path);
    expect([headers.etag, body.toString()]).toEqual(['"tag2"', CSV]);
  });

  it("is read no further for a client that has gone before the first byte", async () => {
    const gone = new AbortController();
    exports.onByte = async () => {
      gone.abort();
      await vi.waitFor(() => expect(served.usage().connections).toBe(0));
    };
    const headers = { authorization: AUTHORIZATION };
    await expect(fetch(gateway.url + path, { headers, signal: gone.signal })).rejects.toThrow("aborted");
    await expect.poll(() => exports.readings.length).toBe(2);
    await expect.poll(() => exports.open).toBe(0);
  });
});
