import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, expect, it } from "vitest";
import { GatewayClient } from "../testing/gateway-under-test.js";

const OPERATION = "/api/v2/products/api/operations/7";
const api = new GatewayClient();
afterEach(() => api.stop());

/** A service with an operation that has texts of so many characters. */
async function startWith({ texts, length, status }: { texts: number; length: number; status: OperationStatus }) {
  const finishedAt = status === OperationStatus.DONE ? { seconds: 1_700_000_000n, nanos: 0 } : undefined;
  const contents = Array.from({ length: texts }, (_, index) => ({
    value: { case: "text" as const, value: `${index} ${"word ".repeat(length / 5)}` },
  }));
  const operation = create(OperationSchema, {
    id: 7n,
    status,
    query: { type: OperationType.TEXT, contents },
    finishedAt,
  });
  await api.start({
    operation: {
      getOperation: () => Promise.resolve({ operation }),
      checkOperations: ({ operations }) => Promise.resolve({ unchangedIds: operations.map(({ id }) => id) }),
    },
  });
}

const LARGE = { texts: 1, length: 5000, status: OperationStatus.DONE };
const UNZIP = { gzip: gunzipSync, br: brotliDecompressSync } as const;

it.each([
  ["gzip", "gzip", LARGE],
  ["br", "br, gzip", LARGE],
  ["gzip", "br;q=0, gzip;q=0.5, identity;q=0.1", LARGE],
  ["gzip", "gzip", { ...LARGE, status: OperationStatus.RUNNING }],
  ["br", "br", { ...LARGE, texts: 100 }],
  ["gzip", "gzip", { ...LARGE, texts: 100 }],
] as const)("compresses by %s for a client that accepts %s", async (coding, accepted, operation) => {
  await startWith(operation);
  const plain = await api.raw(OPERATION);
  expect(plain.headers).toMatchObject({ vary: "Accept-Encoding" });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const times of ["first", "second"]) {
    const { status, headers, body } = await api.raw(OPERATION, { "accept-encoding": accepted });
    expect(status, times).toBe(200);
    expect(headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(body.length).toBeLessThan(plain.body.length / 5);
    expect(UNZIP[coding](body).equals(plain.body)).toBe(true);
  }
});

it("leaves short answers as they are, and those to clients that accept no coding", async () => {
  await startWith({ ...LARGE, length: 10 });
  const short = await api.raw(OPERATION, { "accept-encoding": "gzip" });
  expect(short.headers["content-encoding"]).toBeUndefined();
  await api.stop();
  await startWith(LARGE);
  for (const accepted of ["identity", "gzip;q=0", "zstd", ""]) {
    const { headers } = await api.raw(OPERATION, { "accept-encoding": accepted });
    expect(headers["content-encoding"], accepted).toBeUndefined();
  }
});

it("gives each coding its own ETag, and no body to a client that has it in any of them", async () => {
  await startWith(LARGE);
  const tags = [];
  for (const coding of ["gzip", "br", "identity"]) {
    const { headers } = await api.raw(OPERATION, { "accept-encoding": coding });
    tags.push(headers.etag ?? "");
  }
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    const { status, body } = await api.raw(OPERATION, { "accept-encoding": "gzip", "if-none-match": tag });
    expect([status, body.length]).toEqual([304, 0]);
  }
  expect((await api.raw(OPERATION, { "if-none-match": '"another"' })).status).toBe(200);
});

it("answers HEAD like GET, without the body", async () => {
  await startWith(LARGE);
  const [get, head] = [
    await api.raw(OPERATION, { "accept-encoding": "gzip" }),
    await api.raw(OPERATION, { "accept-encoding": "gzip" }, "HEAD"),
  ];
  for (const name of ["content-encoding", "content-length", "etag", "vary"])
    expect(head.headers[name]).toBe(get.headers[name]);
  expect(head.body).toHaveLength(0);
});

it("compresses the document of the routes, which has an ETag", async () => {
  await api.start();
  const { headers, body } = await api.raw("/openapi.json", { "accept-encoding": "gzip" });
  expect(headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(body).toString())).toHaveProperty("openapi");
  expect((await api.raw("/openapi.json", { "if-none-match": headers.etag ?? "" })).status).toBe(304);
});
