import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../log.js";
import { Dispatcher } from "../rpc/dispatch.js";
import { createGrpcServer } from "../rpc/grpc.js";
import { openPort } from "./run-process.js";

let taken: Server;
let port: number;
beforeEach(async () => {
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  port = (taken.address() as AddressInfo).port;
});
afterEach(() => {
  taken.close();
});

async function listen(host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  server.close();
}

describe("a port that cannot be opened", () => {
  it("is reported with the variable to change when another program has it", async () => {
    await expect(openPort(listen("127.0.0.1"), { host: "127.0.0.1", port, variable: "PORT" })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use by another program: stop that, or set PORT to a port that is free.`,
    );
  });

  it("is reported for gRPC, too", async () => {
    const dispatcher = new Dispatcher({
      authenticate: () => Promise.reject(new Error("nobody calls")),
      reportFailure: () => undefined,
    });
    const server = await createGrpcServer({ routes: [], dispatcher, log: createLogger("silent") });
    const opening = server.listen({ host: "127.0.0.1", port });
    await expect(openPort(opening, { host: "127.0.0.1", port, variable: "GRPC_PORT" })).rejects.toThrow(
      /in use by another program: .* GRPC_PORT /,
    );
    await server.stop(0);
  });

  it("is reported with HOST when this machine has no such address", async () => {
    await expect(openPort(listen("192.0.2.1"), { host: "192.0.2.1", port, variable: "PORT" })).rejects.toThrow(
      "this machine has no address 192.0.2.1: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.",
    );
  });
});
