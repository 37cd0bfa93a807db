import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnalysisType, OffsetUnit, OperationSchema, OperationStatus } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema, OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { type CallOptions, type Client, createGrpcClient, createGrpcServer, createLogger } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATION_KIND, RUN_QUEUE } from "./run.js";
import { dispatcherOfCompanies, ended, failureOf, OperationHarness, texts } from "./testing/operation-harness.js";

// Processes of two releases run side by side during an upgrade. The messages of the other release are written out here
// in wire format, so that a contract change that breaks compatibility does not change them as well.

/** A text in a field that no release has yet. */
const NEW_FIELD = "a2380c6e657720616e6420676f6f64";

/** Messages about operation 1 at the time 1,700,000,000,000. */
const JOB = "08011080d095ffbc31";
const JOBS = [
  ["this release", JOB],
  ["a newer release that adds a text", `${JOB}${NEW_FIELD}`],
  ["a newer release that adds numbers of every size in front", `a83896ffffff0fb53801020304b9380102030405060708${JOB}`],
];

/** A finished operation with explained results, as this release answers it and later releases must read it. */
const EXPLAINED_OPERATION =
  "080710061a140801120201031a0a0a0866696e6520416e6e280122d4010ad1010801120a0a0866696e6520416e6e1a010122" +
  "0201032a790801100118012a520a08706f73697469766511000000000000e83f1a3d0a130a08706f73697469766511000000" +
  "000000e83f0a130a086e6567617469766511000000000000d03f121110041a0466696e6521000000000000e03f52170a1273" +
  "656e74696d656e742d73696d706c652d781201315a02656e60012a3f08011003180132230a210a03416e6e1206656e746974" +
  "791a06504552534f4e220408051008220408641067520c0a07746f7069632d781201325a0264656000320408011001";
/** The request it came from, for another text. */
const EXPLAINED_REQUEST = "08011201011a050a036f6e653801";
/** Hash that this release stores for a request under an idempotency key: sentiment-simple of the text `one`. */
const REQUEST_HASH = "Vd_apMazqlqwjfzcujWCNmlxTI1e1DnoJqwTcX6pA7k";
/** The same operation from a newer release, in a state that is new too. */
const NEWER_OPERATION = `${EXPLAINED_OPERATION}1063${NEW_FIELD}`;

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

describe("a job", () => {
  it.each(JOBS)("of %s is carried out", async (_sender, hex) => {
    harness.process.start("worker");
    const { id } = await harness.client.createOperation(texts(["one"]));
    expect(id).toBe(1n);
    await harness.operations.update({ id: 1 }, { set: { dueAt: 1_700_000_000_000 } });
    await harness.storage.queue.publish(RUN_QUEUE, bytes(hex));
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
  });

  it("is sent by this release as later ones must read it", () => {
    expect(Buffer.from(OPERATION_KIND.message.encode(1, 1_700_000_000_000)).toString("hex")).toBe(JOB);
  });

  it.each([
    ["no message at all", "6e6f742061206d657373616765"],
    ["nothing", ""],
    ["no operation", NEW_FIELD],
    ["an operation without a time", "0801"],
    ["an operation with an impossible id", "08ffffffffffffffff7f1001"],
  ])("that is %s goes to the dead letters, and the next one on", async (_what, hex) => {
    harness.process.start();
    await harness.storage.queue.publish(RUN_QUEUE, bytes(hex));
    const { id } = await harness.client.createOperation(texts(["one"]));
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
    await vi.waitFor(async () => {
      const dead = await harness.storage.queue.listDead(RUN_QUEUE, 10);
      expect(dead.map(({ body, attempts }) => [Buffer.from(body).toString("hex"), attempts])).toEqual([[hex, 1]]);
    });
  });
});

describe("an answer", () => {
  it("of this release reads as later ones must read it", () => {
    const operation = fromBinary(OperationSchema, bytes(EXPLAINED_OPERATION));
    expect(operation.query).toMatchObject({ explain: true, analyses: [1, 3] });
    const [sentiment, topic] = operation.data?.contents[0]?.analyses ?? [];
    const made = { model: { id: "sentiment-simple-x", version: "1" }, language: "en", supported: true };
    expect(sentiment).toMatchObject(made);
    expect(sentiment?.data.value).toMatchObject({
      explanation: {
        probabilities: { positive: 0.75, negative: 0.25 },
        spans: [{ start: 0, end: 4, text: "fine", weight: 0.5 }],
      },
    });
    expect(topic).toMatchObject({ model: { id: "topic-x", version: "2" }, language: "de", supported: false });
    const offsets = [5, 100].map((start) => ({ start, end: start + 3 }));
    expect(topic?.data.value).toMatchObject({ topics: [{ value: "Ann", offsets }] });
    expect(operation.$unknown).toBeUndefined();
  });

  it("of a newer release keeps what is new on its way through", () => {
    const operation = fromBinary(OperationSchema, bytes(NEWER_OPERATION));
    expect(operation.status).toBe(99);
    const passedOn = Buffer.from(toBinary(OperationSchema, operation)).toString("hex");
    expect(passedOn).toContain(NEW_FIELD);
    expect(fromBinary(OperationSchema, bytes(passedOn)).status).toBe(99);
  });
});

describe("a record", () => {
  it("that asks for explanations names them where a release looks for what it cannot do", async () => {
    const request = fromBinary(CreateOperationRequestSchema, bytes(EXPLAINED_REQUEST));
    const { id } = await harness.client.createOperation(request);
    // A worker leaves a record with a name that it does not know to a newer one.
    expect((await harness.operations.get(Number(id)))?.analyses).toEqual(["sentiment-simple", "explain"]);
  });

  it("that asks for offsets in UTF-16 says so in the same place", async () => {
    const request = { ...texts(["one"]), explain: true, offsets: OffsetUnit.UTF16 };
    const { id } = await harness.client.createOperation(request);
    const analyses = ["sentiment-simple", "explain", "utf16-offsets"];
    expect((await harness.operations.get(Number(id)))?.analyses).toEqual(analyses);
  });

  it("says the request of an idempotency key as later releases must compare it", async () => {
    const request = { ...texts(["one"]), idempotencyKey: "k" };
    const { id } = await harness.client.createOperation(request);
    expect(await harness.operations.get(Number(id))).toMatchObject({ idempotency: "1:k", requestHash: REQUEST_HASH });
    const failure = await failureOf(harness.client.createOperation({ ...request, explain: true }));
    expect(failure.code).toBe("idempotency_key_reused");
  });
});

describe("a request of a newer client, over a port", () => {
  let client: Client<typeof OperationService>;
  let close: () => Promise<void>;
  const asCompany: CallOptions = { token: "company-1" };
  const unknown = 99 as never;

  beforeEach(async () => {
    const { routes } = harness.process.service;
    const server = await createGrpcServer({ routes, dispatcher: dispatcherOfCompanies(), log: createLogger("silent") });
    const port = await server.listen({ port: 0 });
    const made = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    client = made.client;
    close = async () => {
      made.close();
      await server.stop(1000);
    };
  });
  afterEach(() => close());

  it.each([
    ["type", { ...texts(["one"]), type: unknown }],
    ["analyses[1]", texts(["one"], [AnalysisType.SENTIMENT_SIMPLE, unknown])],
  ])("learns that the value of %s is not known", async (field, request) => {
    const failure = await failureOf(client.createOperation(request, asCompany));
    expect(failure.kind).toBe("invalid");
    expect(failure.violations.map((violation) => violation.field)).toEqual([field]);
    expect(await harness.operations.count({})).toBe(0);
  });

  it("learns that a status to list by is not known", async () => {
    const failure = await failureOf(client.listOperations({ status: unknown }, asCompany));
    expect(failure.violations.map((violation) => violation.field)).toEqual(["status"]);
  });

  it("is carried out as far as it is known when it has fields that are new", async () => {
    harness.process.start();
    const known = Buffer.from(
      toBinary(CreateOperationRequestSchema, create(CreateOperationRequestSchema, texts(["one"]))),
    );
    const request = fromBinary(CreateOperationRequestSchema, bytes(known.toString("hex") + NEW_FIELD));
    const { id } = await client.createOperation(request, asCompany);
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
  });
});
