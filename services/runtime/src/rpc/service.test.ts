import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import { createInProcessClient, Dispatcher } from "./dispatch.js";
import { createGrpcClient, createGrpcServer, type GrpcServer } from "./grpc.js";
import { type Client, route, type Route, startingRoutes, type StartingRoutes } from "./service.js";

const STARTING = {
  kind: "unavailable",
  code: "starting",
  message: "The service is starting. Try again in a moment.",
  retryAfterMs: 1000,
};

const BUILT: Route[] = [
  route(OperationService, {}, { product: "api" }),
  route(AuthService, { listKeys: () => Promise.resolve({ keys: [] }) }),
];

interface Reached {
  auth: Client<typeof AuthService>;
  operations: Client<typeof OperationService>;
  close: () => Promise<void>;
}

function dispatcher(): Dispatcher {
  return new Dispatcher({
    authenticate: () => Promise.reject(new AppError("unauthenticated", "The token is not valid.")),
    reportFailure: (error) => {
      throw error;
    },
  });
}

function reachInProcess([auth, operations]: readonly Route[]): Promise<Reached> {
  if (auth === undefined || operations === undefined) throw new Error("routes are missing");
  return Promise.resolve({
    auth: createInProcessClient(AuthService, auth, dispatcher()),
    operations: createInProcessClient(OperationService, operations, dispatcher()),
    close: () => Promise.resolve(),
  });
}

async function reachOverPort(routes: readonly Route[]): Promise<Reached> {
  const log = createLogger("silent");
  const server: GrpcServer = await createGrpcServer({ routes, dispatcher: dispatcher(), log });
  const address = `127.0.0.1:${await server.listen({ port: 0 })}`;
  const auth = await createGrpcClient(AuthService, address);
  const operations = await createGrpcClient(OperationService, address);
  return {
    auth: auth.client,
    operations: operations.client,
    close: async () => {
      auth.close();
      operations.close();
      await server.stop(1000);
    },
  };
}

describe.each([
  ["in-process", reachInProcess],
  ["over a port", reachOverPort],
])("a service that is being built, called %s", (_name, reach) => {
  let starting: StartingRoutes;
  let reached: Reached;

  beforeEach(async () => {
    starting = startingRoutes([AuthService, OperationService]);
    reached = await reach(starting.routes);
  });
  afterEach(() => reached.close());

  it("says that it is starting, to every caller and every request", async () => {
    await expect(reached.auth.listKeys({})).rejects.toMatchObject(STARTING);
    await expect(reached.operations.getOperation({ id: 0n })).rejects.toMatchObject(STARTING);
    await expect(reached.operations.getOperation({ id: 7n }, { token: "t" })).rejects.toMatchObject(STARTING);
  });

  it("answers as the built service does once that is there", async () => {
    await expect(reached.auth.listKeys({})).rejects.toMatchObject(STARTING);
    starting.complete(BUILT);
    expect(await reached.auth.listKeys({})).toMatchObject({ keys: [] });
    await expect(reached.operations.getOperation({ id: 7n })).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("completes nothing when a service is missing", async () => {
    expect(() => starting.complete([route(AuthService, {})])).toThrow(
      new TypeError("hourglass.operation.v1.OperationService has no route among those that were built."),
    );
    await expect(reached.auth.listKeys({})).rejects.toMatchObject(STARTING);
  });
});
