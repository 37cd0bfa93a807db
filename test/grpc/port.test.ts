import { once } from "node:events";
import { connect } from "node:http2";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { HealthCheckResponse_ServingStatus as Status, Health } from "@hourglass/proto/grpc/health/v1/health";
import { MediaService, UploadFileRequestSchema } from "@hourglass/proto/media/v1/media_service";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import {
  GetOperationRequestSchema,
  GetOperationResponseSchema,
  OperationService,
} from "@hourglass/proto/operation/v1/operation_service";
import { AppError, createGrpcClient, createGrpcServer, createLogger, type GrpcServer } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../support/limits.js";
import { FakeServices, TOKEN } from "./fake-services.js";
import { answerOf, frame, RawClient } from "./raw-call.js";
import { until } from "./transports.js";

const GET = "/hourglass.operation.v1.OperationService/GetOperation";
const CREATE = "/hourglass.operation.v1.OperationService/CreateOperation";
const READ = "/hourglass.media.v1.MediaService/ReadFile";
const UPLOAD = "/hourglass.media.v1.MediaService/UploadFile";
const REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const BEARER = { authorization: `Bearer ${TOKEN}` };
const MAX_BYTES = 1024 * 1024;
const OK = 0;
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

const getRequest = frame(toBinary(GetOperationRequestSchema, create(GetOperationRequestSchema, { id: 7n })));

describe("a gRPC port", () => {
  let fake: FakeServices;
  let server: GrpcServer;
  let port: number;
  let raw: RawClient;

  beforeEach(async () => {
    fake = new FakeServices();
    const { routes, dispatcher } = fake;
    server = await createGrpcServer({ routes, dispatcher, log: createLogger("silent"), maxMessageBytes: MAX_BYTES });
    port = await server.listen({ port: 0 });
    raw = new RawClient(port);
  });
  afterEach(async () => {
    raw.close();
    await server.stop(1000);
  });

  it("takes a mebibyte of files before their sender has to wait", async () => {
    const session = connect(`http://127.0.0.1:${port}`);
    try {
      await vi.waitFor(() => expect(session.remoteSettings.initialWindowSize).toBe(1_048_576));
      await vi.waitFor(() => expect(session.state.remoteWindowSize).toBe(1_048_576));
    } finally {
      session.close();
    }
  });

  it("answers with the request id it was given", async () => {
    const { status, headers, body } = await raw.call(GET, [getRequest], { ...BEARER, "x-request-id": "req.1_A-b" });
    expect([status, headers["x-request-id"]]).toEqual([OK, "req.1_A-b"]);
    expect(fromBinary(GetOperationResponseSchema, body.subarray(5)).operation?.id).toBe(7n);
  });

  it.each([undefined, "two words", "x".repeat(129), '"><script>'])(
    "makes its own request id instead of %j",
    async (sent) => {
      const { headers } = await raw.call(GET, [getRequest], sent === undefined ? {} : { "x-request-id": sent });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    },
  );

  it.each(["", "Bearer", "Bearer  ", `Basic ${TOKEN}`, `Bearer ${TOKEN} ${TOKEN}`, TOKEN])(
    "takes %j for no token",
    async (authorization) => {
      expect((await raw.call(GET, [getRequest], { authorization })).status).toBe(UNAUTHENTICATED);
    },
  );

  it("answers bytes that are no message, once it knows who sends them", async () => {
    const garbage = frame(Buffer.from("ffffffffffffffffff", "hex"));
    const admitted = await raw.call(GET, [garbage], BEARER);
    expect(admitted).toMatchObject({ status: INVALID_ARGUMENT });
    expect(admitted.message).toBe(
      "The request is not a valid hourglass.operation.v1.GetOperationRequest. Encode it by the proto files of this server.",
    );
    expect((await raw.call(GET, [garbage])).status).toBe(UNAUTHENTICATED);
    expect(fake.contexts).toEqual([]);
  });

  it("turns away those it does not know before they have sent their request", async () => {
    const stream = raw.open(CREATE);
    stream.write(frame(Buffer.alloc(MAX_BYTES)).subarray(0, 1000));
    expect((await answerOf(stream)).status).toBe(UNAUTHENTICATED);
  });

  it("does not keep what has arrived of a request once its call has ended", async () => {
    const stream = raw.open(CREATE, { ...BEARER, "grpc-timeout": "100m" });
    stream.write(frame(Buffer.alloc(MAX_BYTES)).subarray(0, 500_000));
    expect((await answerOf(stream)).status).toBe(DEADLINE_EXCEEDED);
    await until(() => stream.closed);
  });

  it.each([
    ["no message", []],
    ["several messages", [getRequest, getRequest]],
  ])("refuses %s where a method takes one", async (_name, frames) => {
    expect((await raw.call(GET, frames, BEARER)).status).toBe(UNIMPLEMENTED);
    expect((await raw.call(READ, frames, BEARER)).status).toBe(UNIMPLEMENTED);
    expect(fake.contexts).toEqual([]);
  });

  it("refuses a text where a yes or no belongs, and a request cut within it", async () => {
    const explain = (hex: string) => frame(Buffer.from(hex, "hex"));
    for (const hex of ["3a03796573", "3a0474727565", "38"]) {
      expect((await raw.call(CREATE, [explain(hex)], BEARER)).status, hex).toBe(INVALID_ARGUMENT);
    }
    expect(fake.contexts).toEqual([]);
  });

  it("refuses text that is not UTF-8", async () => {
    const key = Buffer.concat([Buffer.from([0x2a, 2]), Buffer.from([0xc3, 0x28])]); // idempotency_key
    expect((await raw.call(CREATE, [frame(key)], BEARER)).status).toBe(INVALID_ARGUMENT);
  });

  it("refuses a message above the limit", async () => {
    expect((await raw.call(CREATE, [frame(Buffer.alloc(MAX_BYTES + 1))], BEARER)).status).toBe(RESOURCE_EXHAUSTED);
  });

  it("refuses a message that says it is above the limit, without waiting for it", async () => {
    const head = frame(Buffer.alloc(0));
    head.writeUInt32BE(0xffff_ffff, 1);
    expect((await raw.call(CREATE, [head], BEARER)).status).toBe(RESOURCE_EXHAUSTED);
  });

  it("refuses a small message that unpacks to a large one", async () => {
    const bomb = frame(gzipSync(Buffer.alloc(100 * MAX_BYTES)), true);
    const headers = { ...BEARER, "grpc-encoding": "gzip" };
    expect((await raw.call(CREATE, [bomb], headers)).status).toBe(RESOURCE_EXHAUSTED);
  });

  it("tells our own client that its message was too large", async () => {
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    const contents = [{ value: { case: "text" as const, value: "x".repeat(MAX_BYTES) } }];
    const call = client.createOperation(
      { type: OperationType.TEXT, analyses: [AnalysisType.TOPIC], contents },
      { token: TOKEN },
    );
    await expect(call).rejects.toMatchObject({ kind: "too-large" });
    close();
  });

  it("names every wrong field of a large request as far as clients accept it", async () => {
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    const contents = Array.from({ length: 1000 }, () => ({ value: { case: "text" as const, value: "" } }));
    const error = await client
      .createOperation({ type: OperationType.TEXT, analyses: [AnalysisType.TOPIC], contents }, { token: TOKEN })
      .catch((error: unknown) => AppError.from(error));
    expect(error).toMatchObject({
      kind: "invalid",
      message: expect.stringContaining(
        "At least another 200 fields are wrong too, not all of which are listed",
      ) as string,
    });
    close();
  });

  it("does not know other services and methods", async () => {
    expect((await raw.call("/hourglass.auth.v1.AdminService/ListUsers", [getRequest], BEARER)).status).toBe(
      UNIMPLEMENTED,
    );
    expect((await raw.call("/x", [getRequest])).status).toBe(UNIMPLEMENTED);
  });

  it.each(["reset", "cut"])("does not take an upload that was %s for a complete one", async (how) => {
    const part = { case: "chunk" as const, value: Buffer.alloc(1000) };
    const chunk = frame(toBinary(UploadFileRequestSchema, create(UploadFileRequestSchema, { part })));
    const stream = raw.open(UPLOAD, BEARER);
    stream.write(chunk);
    await until(() => fake.uploadedBytes >= 1000);
    if (how === "reset") stream.close(8);
    else raw.cut();
    await until(() => fake.uploads.length === 1);
    expect(fake.uploads[0]).toMatchObject({ kind: "cancelled" });
  });

  it("does not take one of many uploads for complete that were reset as soon as they had begun", async () => {
    const part = { case: "chunk" as const, value: Buffer.alloc(1000) };
    const chunk = frame(toBinary(UploadFileRequestSchema, create(UploadFileRequestSchema, { part })));
    for (let begun = 1; begun <= 20; begun += 1) {
      fake.uploadedBytes = 0;
      const stream = raw.open(UPLOAD, BEARER);
      stream.write(chunk);
      await until(() => fake.uploadedBytes === 1000);
      // Node's client ends the stream before it resets it, often in a packet of its own.
      stream.close(8);
      await until(() => fake.uploads.length === begun);
    }
    expect(fake.uploads).toEqual(fake.uploads.map(() => expect.objectContaining({ kind: "cancelled" }) as unknown));
  });

  it("says what it serves to those who ask by reflection", async () => {
    const listServices = frame(Buffer.from([0x3a, 0]));
    const { status, body } = await raw.call(REFLECTION, [listServices]);
    expect(status).toBe(OK);
    for (const { service } of fake.routes) expect(body.toString("latin1")).toContain(service.typeName);
    expect(body.toString("latin1")).not.toContain("AdminService");
  });

  it("describes its services by reflection, with everything they refer to", async () => {
    for (const { service } of fake.routes) {
      const name = Buffer.from(service.typeName);
      const { status, body } = await raw.call(REFLECTION, [
        frame(Buffer.concat([Buffer.from([0x22, name.length]), name])),
      ]);
      expect(status).toBe(OK);
      for (const { input } of service.methods) expect(body.toString("latin1")).toContain(input.name);
    }
  });

  it("reports its health, as a whole and per service, without a token", async () => {
    const { client, close } = await createGrpcClient(Health, `127.0.0.1:${port}`);
    expect(await client.check({})).toMatchObject({ status: Status.SERVING });
    server.setServing(false);
    expect(await client.check({ service: MediaService.typeName })).toMatchObject({ status: Status.NOT_SERVING });
    server.setServing(true);
    expect((await client.list({})).statuses[OperationService.typeName]).toMatchObject({ status: Status.SERVING });
    await expect(client.check({ service: "no.such.Service" })).rejects.toMatchObject({ kind: "not-found" });
    close();
  });

  it("tells those who watch its health of every change, and lets them go when it stops", async () => {
    const { client, close } = await createGrpcClient(Health, `127.0.0.1:${port}`);
    const watch = client.watch({})[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ status: Status.SERVING });
    server.setServing(false);
    expect((await watch.next()).value).toMatchObject({ status: Status.NOT_SERVING });
    server.setServing(true);
    expect((await watch.next()).value).toMatchObject({ status: Status.SERVING });
    const stopped = server.stop(20_000);
    expect((await watch.next()).value).toMatchObject({ status: Status.NOT_SERVING });
    expect((await watch.next()).done).toBe(true);
    await stopped;
    close();
  });

  it("finishes the calls under way when it stops, and takes no new ones", async () => {
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    const underWay = client.getOperation({ id: 7n, wait: 60 }, { token: TOKEN });
    await until(() => fake.contexts.length === 1);
    const stopped = server.stop(20_000);
    await expect(client.getOperation({ id: 8n }, { token: TOKEN })).rejects.toMatchObject({ kind: "unavailable" });
    fake.release();
    expect((await underWay).operation?.id).toBe(7n);
    await stopped;
    close();
  });

  it("cuts off calls that are not done in time, which their callers may try again", async () => {
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    const underWay = client.getOperation({ id: 7n, wait: 60 }, { token: TOKEN });
    const failed = expect(underWay).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    await until(() => fake.contexts.length === 1);
    await server.stop(100);
    await failed;
    await until(() => fake.contexts[0]?.signal.aborted === true);
    close();
  });

  it("fails calls at once when nobody listens, and finds a server that came back", async () => {
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${port}`);
    await client.getOperation({ id: 7n }, { token: TOKEN });
    await server.stop(0);
    const call = client.getOperation({ id: 7n }, { token: TOKEN, timeoutMs: 20_000 });
    await expect(call).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    server = await createGrpcServer({ routes: fake.routes, dispatcher: fake.dispatcher, log: createLogger("silent") });
    await server.listen({ port });
    let found = false;
    const tryAgain = () =>
      client.getOperation({ id: 7n }, { token: TOKEN }).then(
        () => (found = true),
        () => undefined,
      );
    while (!found) await tryAgain();
    close();
  });

  it("renews connections without failing a call", async () => {
    const { routes, dispatcher } = fake;
    const log = createLogger("silent");
    const renewing = await createGrpcServer({ routes, dispatcher, log, connectionAgeMs: 50 });
    const relay = await countingRelay(await renewing.listen({ port: 0 }));
    const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${relay.port}`);
    const TEXT = { case: "text" as const, value: "Lisbon" };
    const request = { type: OperationType.TEXT, analyses: [AnalysisType.TOPIC], contents: [{ value: TEXT }] };
    const giveUpAt = performance.now() + LIMITS.condition;
    while (relay.connections() < 4) {
      await client.createOperation(request, { token: TOKEN });
      expect(performance.now(), "the connection was renewed").toBeLessThan(giveUpAt);
    }
    close();
    await renewing.stop(1000);
    relay.close();
  });

  it("says which address it cannot have", async () => {
    const { routes, dispatcher } = fake;
    const second = await createGrpcServer({ routes, dispatcher, log: createLogger("silent") });
    await expect(second.listen({ port })).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}`);
  });
});

/** Forwards connections to a local port, and counts them. */
async function countingRelay(target: number) {
  let connections = 0;
  const relay = net.createServer((incoming) => {
    connections += 1;
    const outgoing = net.connect(target, "127.0.0.1");
    const end = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    for (const socket of [incoming, outgoing]) socket.on("error", end).on("close", end);
    incoming.pipe(outgoing).pipe(incoming);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as net.AddressInfo;
  return { port, connections: () => connections, close: () => relay.close() };
}
