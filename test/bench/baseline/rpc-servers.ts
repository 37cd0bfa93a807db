import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { createGrpcServer, createInProcessClient, createLogger, Dispatcher, route } from "@hourglass/runtime";

/** Serves one method over the gRPC ports of the product, and over Connect on HTTP/2; PORT tells the port of each. */
const operation = {
  id: 1n,
  status: OperationStatus.READY,
  query: { type: OperationType.TEXT, contents: [{ value: { case: "text" as const, value: "I love it" } }] },
};
const served = route(OperationService, { getOperation: () => Promise.resolve({ operation }) }, { open: true });
const dispatcher = new Dispatcher({
  authenticate: () => Promise.reject(new Error("nobody is asked for a token")),
  reportFailure: () => undefined,
});

const grpc = await createGrpcServer({ routes: [served], dispatcher, log: createLogger("silent") });
const grpcPort = await grpc.listen({ port: 0 });

// The same dispatcher validates and calls the handler.
const inside = createInProcessClient(OperationService, served, dispatcher);
const connect = createHttp2Server(
  connectNodeAdapter({
    routes: (router) => router.service(OperationService, { getOperation: (request) => inside.getOperation(request) }),
  }),
);
await new Promise<void>((resolve) => connect.listen(0, "127.0.0.1", resolve));
const connectPort = (connect.address() as AddressInfo).port;

const ports = JSON.stringify({ grpcPort, connectPort });
createServer((_req, res) => res.end(ports)).listen(Number(process.env["PORT"]), "127.0.0.1");
