import { HealthCheckResponse_ServingStatus as Status, Health } from "@hourglass/proto/grpc/health/v1/health";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { createGrpcClient, createGrpcServer, createLogger, type Client, type GrpcServer } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServices } from "./fake-services.js";
import { frame, RawClient } from "./raw-call.js";

const REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const OK = 0;

describe("a process without its own routes", () => {
  let server: GrpcServer;
  let port: number;
  let health: Client<typeof Health>;
  let close = (): void => undefined;

  beforeEach(async () => {
    const { dispatcher } = new FakeServices();
    server = await createGrpcServer({ routes: [], dispatcher, log: createLogger("silent") });
    port = await server.listen({ port: 0 });
    const made = await createGrpcClient(Health, `127.0.0.1:${port}`);
    health = made.client;
    close = made.close;
  });
  afterEach(async () => {
    close();
    await server.stop(1000);
  });

  it("lives whether it is ready or not", async () => {
    server.setServing(false);
    expect(await health.check({})).toMatchObject({ status: Status.NOT_SERVING });
    expect(await health.check({ service: "liveness" })).toMatchObject({ status: Status.SERVING });
    expect((await health.list({})).statuses).toMatchObject({
      "": { status: Status.NOT_SERVING },
      liveness: { status: Status.SERVING },
    });
    await expect(health.check({ service: OperationService.typeName })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("lets go of those who watch whether it lives when it stops", async () => {
    const watch = health.watch({ service: "liveness" })[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ status: Status.SERVING });
    await server.stop(20_000);
    expect((await watch.next()).done).toBe(true);
  });

  it("describes itself", async () => {
    const raw = new RawClient(port);
    const LIST_SERVICES = Buffer.from([0x3a, 0]);
    const { status, body } = await raw.call(REFLECTION, [frame(LIST_SERVICES)]);
    expect([status, body.toString("latin1").includes(Health.typeName)]).toEqual([OK, true]);
    raw.close();
  });

  it("answers any number of pings, and asks nobody to calm down", async () => {
    const raw = new RawClient(port);
    const check = async () => (await raw.call(`/${Health.typeName}/Check`, [frame(Buffer.alloc(0))])).status;
    expect(await check()).toBe(OK);
    for (let count = 0; count < 500; count += 1) await raw.ping();
    expect(await check()).toBe(OK);
    raw.close();
  });
});
