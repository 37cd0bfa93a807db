import type { DescService } from "@bufbuild/protobuf";
import { createInProcessClient, type Client, type Dispatcher, type Route, type Stop } from "@hourglass/runtime";

/** Where services are served and found. */
export interface Host {
  /** Makes the routes reachable; the part it adds to the process is ended by the returned function. */
  serve(routes: readonly Route[], dispatcher: Dispatcher): Promise<Stop>;
  /** A client of a service that has been served. */
  client<S extends DescService>(service: S): Client<S>;
}

/** Everything in one process: a call is a function call that keeps admission, validation, deadlines and errors. */
export function createInProcessHost(): Host {
  const served = new Map<string, { route: Route; dispatcher: Dispatcher }>();
  return {
    serve: (routes, dispatcher) => {
      for (const route of routes) served.set(route.service.typeName, { route, dispatcher });
      return Promise.resolve(() => undefined);
    },
    client: (service) => {
      const found = served.get(service.typeName);
      if (found === undefined) throw new Error(`${service.typeName} is not served`);
      return createInProcessClient(service, found.route, found.dispatcher);
    },
  };
}
