import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, OperationHarness, texts } from "./testing/operation-harness.js";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00Z");

let harness: OperationHarness;
let time: number;
beforeEach(async () => {
  time = START;
  harness = await OperationHarness.open({ clock: () => time });
});
afterEach(() => harness.close());

type Listing = Parameters<typeof harness.client.listOperations>[0];

async function create(contents: string[], more: object = {}): Promise<bigint> {
  return (await harness.client.createOperation({ ...texts(contents), ...more })).id;
}

/** Ids of all pages, and how many pages there were. */
async function all(wanted: Listing, client = harness.client): Promise<{ ids: bigint[]; pages: number }> {
  const ids: bigint[] = [];
  let pages = 0;
  let cursor = "";
  do {
    const page = await client.listOperations({ ...wanted, cursor });
    ids.push(...page.operations.map(({ id }) => id));
    pages += 1;
    cursor = page.nextCursor;
  } while (cursor !== "");
  return { ids, pages };
}

const found = async (wanted: Listing) => (await all(wanted)).ids;

describe("what an operation is called", () => {
  it("is kept and returned, in the record and in lists", async () => {
    const labels = { name: "Museum \u{1f600}", metadata: { "a.b": "1", $c: "two" } };
    const metadata = { "a.b": "1", $c: "two" };
    const id = await create(["a"], { ...labels, metadata });
    const author = { userId: 1n, keyId: 0n };
    const { operation } = await harness.client.getOperation({ id });
    expect(operation).toMatchObject({ name: labels.name, metadata, createdBy: author, preview: "" });
    const { operations } = await harness.client.listOperations({});
    expect(operations).toMatchObject([{ name: labels.name, metadata, createdBy: author, preview: "a" }]);
  });

  it("counts as a part of the request that an idempotency key repeats, whatever the order of the metadata", async () => {
    const idempotencyKey = "k";
    const id = await create(["a"], { idempotencyKey, name: "n", metadata: { x: "1", y: "2" } });
    expect(await create(["a"], { idempotencyKey, name: "n", metadata: { y: "2", x: "1" } })).toBe(id);
    for (const other of [{ name: "m", metadata: { x: "1", y: "2" } }, { name: "n", metadata: { x: "1" } }, {}]) {
      expect((await failureOf(create(["a"], { idempotencyKey, ...other }))).kind).toBe("invalid");
    }
  });

  it("is refused beyond its bounds", async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
    await create(["a"], { name: "\u{1f600}".repeat(120), metadata: keys(16) });
    await create(["a"], { metadata: { ["k".repeat(40)]: "v".repeat(500) } });
    const refused = [{ name: "x".repeat(121) }, { metadata: keys(17) }, { metadata: { "": "v" } }];
    for (const labels of [...refused, { metadata: { ["k".repeat(41)]: "v" } }, { metadata: { k: "v".repeat(501) } }]) {
      expect((await failureOf(create(["a"], labels))).violations).toHaveLength(1);
    }
  });
});

describe("the preview", () => {
  it("is the first 120 characters of the first content, however the contents are stored", async () => {
    await create(["\u{1f600}".repeat(130)]);
    await create([`${"x".repeat(119)}\u{1f600}y`.padEnd(5000, "z"), "b"]);
    const { operations } = await harness.client.listOperations({});
    expect(operations.map(({ preview }) => preview)).toEqual([`${"x".repeat(119)}\u{1f600}`, "\u{1f600}".repeat(120)]);
  });
});

describe("a list", () => {
  it("can be of one type", async () => {
    const text = await create(["a"]);
    const url = await create([], {
      type: OperationType.FILE,
      analyses: [AnalysisType.CAPTION],
      contents: [{ value: { case: "url", value: "https://example.com/a.png" } }],
    });
    expect(await found({ type: OperationType.TEXT })).toEqual([text]);
    expect(await found({ type: OperationType.FILE })).toEqual([url]);
  });

  it("can be of some analyses", async () => {
    const { TOPIC, INTENTION, SPAM_DETECTION } = AnalysisType;
    const topic = await create(["a"], { analyses: [TOPIC], explain: true });
    const both = await create(["a"], { analyses: [INTENTION, TOPIC] });
    const spam = await create(["a"], { analyses: [SPAM_DETECTION] });
    expect(await found({ analyses: [TOPIC] })).toEqual([both, topic]);
    expect(await found({ analyses: [INTENTION, SPAM_DETECTION] })).toEqual([spam, both]);
    expect(await found({ analyses: [AnalysisType.CAPTION] })).toEqual([]);
  });

  it("can be of some metadata, all of which must be the same, with cursors of its own", async () => {
    const winter = await create(["a"], { metadata: { campaign: "winter", "a.b": "1" } });
    await create(["a"], { metadata: { campaign: "summer", "a.b": "1" } });
    const both = await create(["a"], { metadata: { "a.b": "1", campaign: "winter", ticket: "" } });
    expect(await found({ metadata: { campaign: "winter" } })).toEqual([both, winter]);
    expect(await found({ metadata: { campaign: "winter", ticket: "" } })).toEqual([both]);
    for (const none of [{ Campaign: "winter" }, { campaign: "Winter" }, { constructor: "" }]) {
      expect(await found({ metadata: none })).toEqual([]);
    }
    const page = await harness.client.listOperations({ limit: 1, metadata: { campaign: "winter", "a.b": "1" } });
    const { nextCursor: cursor } = page;
    const next = await harness.client.listOperations({ cursor, metadata: { "a.b": "1", campaign: "winter" } });
    expect(next.operations.map(({ id }) => id)).toEqual([winter]);
    for (const metadata of [{}, { campaign: "winter" }]) {
      expect((await failureOf(harness.client.listOperations({ cursor, metadata }))).violations).toMatchObject([
        { field: "cursor" },
      ]);
    }
    expect((await failureOf(harness.client.listOperations({ metadata: { "": "x" } }))).violations).toHaveLength(1);
  });

  it("can be of a span of time, wherever that is, the end not included", async () => {
    const ids: bigint[] = [];
    for (let day = 0; day < 8; day++) {
      time = START + day * DAY_MS;
      ids.push(await create(["a"]));
    }
    const day = (number: number) => timestampFromMs(START + number * DAY_MS);
    expect(await found({ from: day(2), to: day(5) })).toEqual([ids[4], ids[3], ids[2]]);
    expect(await found({ to: day(1) })).toEqual([ids[0]]);
    expect(await found({ from: day(7) })).toEqual([ids[7]]);
    expect(await found({ to: day(0) })).toEqual([]);
    expect(await found({ from: day(9) })).toEqual([]);
    expect(await found({ from: day(2), to: day(5), limit: 1 })).toEqual([ids[4], ids[3], ids[2]]);
  });

  it("of a span of time is whole although clocks of processes differ by minutes", async () => {
    const ids: bigint[] = [];
    for (const minute of [0, 20, 5, 25, 10]) {
      time = START + minute * 60_000;
      ids.push(await create(["a"]));
    }
    const minute = (number: number) => timestampFromMs(START + number * 60_000);
    expect(await found({ from: minute(5), to: minute(21) })).toEqual([ids[4], ids[2], ids[1]]);
  });

  it("finds a text in the name and in the first content, in upper or lower case, however it is stored", async () => {
    const named = await create(["a"], { name: "Über Lissabon" });
    const small = await create(["All of LISSABON", "b"]);
    const large = await create([`${"x".repeat(10_000)} lissabon`, "b"]);
    await create(["a", "lissabon"]);
    await create(["x".repeat(10_000), "lissabon"]);
    expect(await found({ q: "Lissabon" })).toEqual([large, small, named]);
    expect(await found({ q: "u\u0308ber" })).toEqual([named]);
    expect(await found({ q: "%" })).toEqual([]);
    expect(await found({ q: "lissabon", type: OperationType.FILE })).toEqual([]);
  });

  it("looks through a limited number of operations a page, and misses none", async () => {
    const record = (await harness.operations.get(Number(await create(["needle"]))))!;
    const others = Array.from({ length: 2500 }, (_, index) => {
      const isFound = index === 1200 || index === 2499;
      return { ...record, id: record.id + 1 + index, contents: [isFound ? "needle" : "hay"] };
    });
    await harness.operations.insertMany(others);
    const { ids, pages } = await all({ q: "needle" });
    expect(ids.map(Number)).toEqual([record.id + 2500, record.id + 1201, record.id]);
    expect(pages).toBe(3);
    const page = await harness.client.listOperations({ q: "hay", limit: 200 });
    expect(page.operations).toHaveLength(200);
    expect((await all({ q: "hay", limit: 200 })).ids).toHaveLength(2498);
  });

  it("is of the caller's company only, and refuses a cursor that it did not issue", async () => {
    await create(["needle"]);
    expect((await all({ q: "needle" }, harness.process.client(2))).ids).toEqual([]);
    expect((await failureOf(harness.client.listOperations({ q: "a", cursor: "x" }))).violations).toMatchObject([
      { field: "cursor" },
    ]);
  });

  it("refuses a span that ends before it begins", async () => {
    const [from, to] = [timestampFromMs(START + 1), timestampFromMs(START)];
    expect((await failureOf(harness.client.listOperations({ from, to }))).violations).toMatchObject([
      { field: "from" },
    ]);
  });
});
