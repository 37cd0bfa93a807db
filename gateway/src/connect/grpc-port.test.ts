import { constants, type ClientHttp2Stream } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { AnalysisType, OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { GetOperationRequestSchema, OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, createGrpcClient, type Client } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { openGrpcCall, startBothPorts, type BothPorts } from "../testing/both-ports.js";
import { AUTHORIZATION, type FakeHandlers, type GatewayUnderTest } from "../testing/gateway-under-test.js";

const OPERATIONS = "/api/v2/products/api/operations";
const GET = "/hourglass.operation.v1.OperationService/GetOperation";
const BODY_BYTES_MAX = 1_000_000;
const TOKEN = "good";
const TEXTS = { type: OperationType.TEXT, analyses: [AnalysisType.TOPIC] };

describe("the gRPC port and the HTTP port of one gateway", () => {
  let ports: BothPorts;
  let gateway: GatewayUnderTest;
  let operations: Client<typeof OperationService>;
  const ends: (() => void)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await ports.stop();
  });

  async function start(
    handlers: FakeHandlers,
    { rateLimitPerMinute = 0, heldBytesMax = 400_000_000 }: { rateLimitPerMinute?: number; heldBytesMax?: number } = {},
  ): Promise<void> {
    ports = await startBothPorts(handlers, { bodyBytesMax: BODY_BYTES_MAX, rateLimitPerMinute, heldBytesMax });
    gateway = ports.gateway;
    operations = await clientOf(OperationService);
  }

  async function clientOf<S extends typeof OperationService | typeof AuthService>(service: S): Promise<Client<S>> {
    const { client, close } = await createGrpcClient(service, `127.0.0.1:${ports.grpcPort}`);
    ends.push(close);
    return client;
  }

  function openRaw(path: string): ClientHttp2Stream {
    const { session, stream } = openGrpcCall(ports.grpcPort, path);
    session.on("error", () => undefined);
    ends.push(() => session.destroy());
    stream.on("error", () => undefined);
    return stream;
  }

  /** The counted refusals of the gRPC port, with their codes. */
  async function shed(): Promise<string[]> {
    const { body } = await ports.metrics.render();
    return [...body.matchAll(/^hourglass_requests_shed_total\{reason="(\w+)"\} (\d+)$/gm)].map(
      ([, reason, count]) => `${reason} ${count}`,
    );
  }

  const rest = (path: string, body?: unknown) =>
    fetch(gateway.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("count the requests of a user together, by every protocol", async () => {
    const getOperation = () => Promise.resolve({ operation: { id: 1n, status: OperationStatus.READY } });
    await start({ operation: { getOperation } }, { rateLimitPerMinute: 3 });
    await operations.getOperation({ id: 1n }, { token: TOKEN });
    expect((await rest(`${OPERATIONS}/1`)).status).toBe(200);
    expect((await rest(GET, { id: "1" })).status).toBe(200);
    expect((await rest(`${OPERATIONS}/1`)).status).toBe(429);
    expect((await rest(GET, { id: "1" })).status).toBe(429);
    const refused = operations.getOperation({ id: 1n }, { token: TOKEN });
    await expect(refused).rejects.toMatchObject({ kind: "too-many", retryAfterMs: expect.any(Number) as number });
    expect(await shed()).toEqual(["too_many_requests 1"]);
    await expect(operations.getOperation({ id: 1n }, { token: "other" })).resolves.toMatchObject({});
  });

  it("count a large message together with large bodies until its call has ended", async () => {
    const calls: (() => void)[] = [];
    const createOperation = () => new Promise<{ id: bigint }>((resolve) => calls.push(() => resolve({ id: 1n })));
    await start({ operation: { createOperation } }, { heldBytesMax: 1_000_000 });
    const texts = Array.from({ length: 20 }, () => "x".repeat(20_000));
    const contents = texts.map((value) => ({ value: { case: "text" as const, value } }));
    const created = operations.createOperation({ ...TEXTS, contents }, { token: TOKEN });
    await expect.poll(() => gateway.usage().heldBytes).toBeGreaterThan(300_000);
    const body = { type: "text", analyses: ["topic"], contents: texts };
    expect((await rest(OPERATIONS, body)).status).toBe(429);
    await expect(operations.createOperation({ ...TEXTS, contents }, { token: TOKEN })).rejects.toMatchObject({
      kind: "too-many",
      message: "Too many of your large requests are in progress. Wait until some of them have ended.",
    });
    expect(await shed()).toEqual(["too_much_in_progress 1"]);
    // The bytes count before the call begins.
    await expect.poll(() => calls.length).toBe(1);
    calls[0]?.();
    await created;
    await expect.poll(() => gateway.usage().heldBytes).toBe(0);
  });

  it("count a message of unknown size as the largest one of its method, from a second after its turn until its call has ended", async () => {
    await start({});
    const stream = openRaw(GET);
    stream.write(Buffer.from([0, 0, 0, 0, 100, 8]));
    await expect.poll(() => gateway.usage().heldBytes).toBe(262_144);
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => gateway.usage().heldBytes).toBe(0);
  });

  it("count a large response until its client has read it", async () => {
    const contents = Array.from({ length: 500 }, () => ({
      value: { case: "text" as const, value: "x".repeat(20_000) },
    }));
    const query = { type: OperationType.TEXT, contents };
    const operation = create(OperationSchema, { id: 1n, status: OperationStatus.PENDING, query });
    await start({ operation: { getOperation: () => Promise.resolve({ operation }) } });
    const stream = openRaw(GET);
    const request = toBinary(GetOperationRequestSchema, create(GetOperationRequestSchema, { id: 1n }));
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, request.length]), request]));
    await expect.poll(() => gateway.usage().heldBytes).toBeGreaterThan(10_000_000);
    stream.resume();
    await expect.poll(() => gateway.usage().heldBytes).toBe(0);
  });

  it("take only a short message from a caller without a token", async () => {
    let asked = 0;
    const signIn = () => Promise.reject(new AppError("unauthenticated", `Attempt ${(asked += 1)}.`));
    await start({ auth: { signIn } });
    const auth = await clientOf(AuthService);
    const attempt = (length: number) => auth.signIn({ user: { email: "a@example.com", password: "x".repeat(length) } });
    await expect(attempt(70_000)).rejects.toMatchObject({ kind: "too-large" });
    expect(asked).toBe(0);
    await expect(attempt(10)).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});
