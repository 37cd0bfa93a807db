import type { DescService } from "@bufbuild/protobuf";
import {
  createGrpcClient,
  createGrpcServer,
  createInProcessClient,
  type Client,
  type Dispatcher,
  type Lifecycle,
  type Logger,
  type Route,
} from "@hourglass/runtime";

/** How the services of this process call each other: by function call, or over gRPC ports on the loopback interface. */
export type Transport = "in-process" | "grpc";

/** Serves services and creates clients of them. */
export interface Host {
  /** Serves the routes of one service. */
  serve(routes: readonly Route[], dispatcher: Dispatcher): Promise<void>;
  /** A client of a service that is served here. */
  client<S extends DescService>(service: S): Promise<Client<S>>;
}

/** Creates the host; whatever it opens is registered with the lifecycle. */
export function createHost(transport: Transport, deps: { lifecycle: Lifecycle; log: Logger }): Host {
  return transport === "grpc" ? createGrpcHost(deps) : createInProcessHost();
}

function createInProcessHost(): Host {
  const served = new Map<string, { route: Route; dispatcher: Dispatcher }>();
  return {
    serve: (routes, dispatcher) => {
      for (const route of routes) served.set(route.service.typeName, { route, dispatcher });
      return Promise.resolve();
    },
    client: (service) => {
      const { route, dispatcher } = found(served, service);
      return Promise.resolve(createInProcessClient(service, route, dispatcher));
    },
  };
}

function createGrpcHost({ lifecycle, log }: { lifecycle: Lifecycle; log: Logger }): Host {
  const addresses = new Map<string, string>();
  return {
    serve: async (routes, dispatcher) => {
      const server = await createGrpcServer({ routes, dispatcher, log });
      const port = await server.listen({ port: 0 });
      lifecycle.add(`port of ${routes[0]?.service.typeName}`, (graceMs) => server.stop(graceMs));
      for (const { service } of routes) addresses.set(service.typeName, `127.0.0.1:${port}`);
    },
    client: async (service) => {
      const { client, close } = await createGrpcClient(service, found(addresses, service));
      lifecycle.add(`client of ${service.typeName}`, () => {
        close();
      });
      return client;
    },
  };
}

function found<T>(served: ReadonlyMap<string, T>, service: DescService): T {
  const value = served.get(service.typeName);
  if (value === undefined) throw new Error(`${service.typeName} is not served`);
  return value;
}
