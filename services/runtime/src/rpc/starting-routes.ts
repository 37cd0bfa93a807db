import type { DescService } from "@bufbuild/protobuf";
import { AppError } from "../errors/app-error.js";
import type { Route } from "./service.js";

/** Routes that exist before their handlers do. */
export interface StartingRoutes {
  /** One per service, in the order given. They can be served and called immediately, over a port and in-process. */
  readonly routes: readonly Route[];
  /**
   * Makes the routes behave like the given ones; extra routes are allowed. Throws TypeError if one is missing, and then
   * settles none.
   */
  settle: (routes: readonly Route[]) => void;
}

/**
 * Routes of services that are still being built. Until they are settled, every call fails with AppError `unavailable`
 * and the code `starting`, before its token or its request is checked.
 */
export function startingRoutes(services: readonly DescService[]): StartingRoutes {
  const routes = services.map((service) => new StartingRoute(service));
  return {
    routes,
    settle: (built) => {
      const pairs = routes.map((starting) => [starting, routeOf(starting.service, built)] as const);
      for (const [starting, route] of pairs) starting.settle(route);
    },
  };
}

/** The properties of a route are read at the time of a call, so a getter that throws fails that call. */
class StartingRoute implements Route {
  private built: Route | undefined;

  constructor(readonly service: DescService) {}

  settle(route: Route): void {
    this.built = route;
  }

  get handlers(): Route["handlers"] {
    return this.settled.handlers;
  }

  get rules(): Route["rules"] {
    return this.settled.rules;
  }

  get admission(): Route["admission"] {
    return this.settled.admission;
  }

  private get settled(): Route {
    if (this.built !== undefined) return this.built;
    throw new AppError("unavailable", "The service is starting. Try again in a moment.", {
      code: "starting",
      retryAfterMs: 1000,
    });
  }
}

function routeOf(service: DescService, routes: readonly Route[]): Route {
  const route = routes.find((candidate) => candidate.service.typeName === service.typeName);
  if (route === undefined) throw new TypeError(`${service.typeName} has no route among those that were built.`);
  return route;
}
