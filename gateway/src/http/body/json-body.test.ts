import { AppError, MESSAGE_VALUES_MAX } from "@hourglass/runtime";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../../testing/gateway-under-test.js";
import { JsonCount } from "./json-body.js";

const OPERATIONS = "/api/v2/products/api/operations";
const CHECK = "/api/v2/products/insight/check";

function countOf(text: string, partBytes = Infinity): number {
  const bytes = Buffer.from(text);
  const count = new JsonCount();
  for (let start = 0; start < bytes.length; start += partBytes) count.add(bytes.subarray(start, start + partBytes));
  return count.values;
}

/** Every object and list, and every member beyond the first of each. */
function valuesIn(json: unknown): number {
  if (typeof json !== "object" || json === null) return 0;
  const members: unknown[] = Object.values(json);
  return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, member) => sum + valuesIn(member), 0);
}

describe("the values of JSON", () => {
  it("are counted without parsing it, in parts of any size", () => {
    const json = fc.jsonValue({ stringUnit: "binary" });
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), (value, partBytes) => {
        expect(countOf(JSON.stringify(value), partBytes)).toBe(valuesIn(value));
      }),
    );
  });

  it("are not found in texts, whatever is escaped in them", () => {
    const text = JSON.stringify({ a: '[{,"\\' + "\\\\".repeat(10) + '"[,' });
    for (const size of [1, 2, 3, 1000]) expect(countOf(text, size)).toBe(1);
  });

  it("have a maximum, and one of levels", () => {
    expect(() => countOf(`[${"1,".repeat(MESSAGE_VALUES_MAX + 1)}1]`)).toThrow(AppError);
    expect(() => countOf("[".repeat(101))).toThrow("nested deeper than 100 levels");
    expect(() => countOf(`${"[".repeat(100)}${"]".repeat(100)}`.repeat(2))).not.toThrow();
  });
});

describe("a large body", () => {
  const client = new GatewayClient();
  afterEach(() => client.stop());
  const operation = (more: object) => ({ type: "text", analyses: ["topic"], contents: ["x"], ...more });

  it("is read like a small one", async () => {
    let received: unknown[] = [];
    await client.start({
      operation: {
        createOperation: ({ contents }) => {
          received = contents.map(({ value }) => value.value);
          return Promise.resolve({ id: 1n });
        },
      },
    });
    const contents = Array.from({ length: 200 }, (_, index) => `${index} “ж”\\"😀${"\n語".repeat(1000)}`);
    expect((await client.post(OPERATIONS, operation({ contents }))).status).toBe(201);
    expect(received).toEqual(contents);
  });

  it.each([
    ["[1,", "invalid_json"],
    ["\xff", "invalid_utf8"],
  ])("is refused as a small one is, with %j at its end", async (end, code) => {
    await client.start();
    const body = Buffer.from(`{"a":"${"x".repeat(300_000)}","b":${end}`, "latin1");
    const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
    const refused = await fetch(client.url + OPERATIONS, { method: "POST", headers, body });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code });
  });

  it("may have fields that nobody knows, as long as there are few", async () => {
    await client.start({ operation: { createOperation: () => Promise.resolve({ id: 1n }) } });
    expect((await client.post(OPERATIONS, operation({ note: "x".repeat(1_000_000) }))).status).toBe(201);
    const refused = await client.post(OPERATIONS, operation({ notes: Array(60_000).fill({ a: {} }) }));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      code: "too_many_values",
      error: "The body holds more than 50,000 values. Send fewer at once.",
    });
  });

  it("is accepted only by routes that need one", async () => {
    await client.start();
    const limits = { [CHECK]: 262_144, "/api/v2/products/insight/exports": 65_536, "/api/v1/users/sign_in": 65_536 };
    for (const [path, bytes] of Object.entries(limits)) {
      expect((await client.post(path, `{"a":"${"x".repeat(bytes)}"}`)).status, path).toBe(413);
      expect((await client.post(path, `{"a":"${"x".repeat(bytes - 8)}"}`)).status, path).toBe(400);
    }
  });
});
