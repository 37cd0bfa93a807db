import type { Clients } from "../clients.js";
import { KeptBodies } from "../http/kept-bodies.js";
import type { Endpoint } from "../http/routing/endpoint.js";
import type { GatewaySettings } from "../http/settings.js";
import { docsRoutes } from "./docs.js";
import { exportRoutes } from "./exports.js";
import { fileRoutes } from "./files.js";
import { healthRoutes, type HealthDeps } from "./health.js";
import { insightRoutes } from "./insights.js";
import { KeptAnswers } from "./kept-answers.js";
import { operationRoutes } from "./operations.js";
import { postingRoutes } from "./postings.js";
import { signInRoutes } from "./sign-in.js";
import { uploadRoutes } from "./upload.js";

export interface EndpointDeps extends HealthDeps {
  readonly clients: Clients;
  readonly settings: Required<GatewaySettings>;
}

/** All routes. If two match a path, the first one answers, so fixed names come before ids. */
export function createEndpoints(deps: EndpointDeps): Endpoint[] {
  const { clients, settings } = deps;
  const kept = new KeptBodies();
  const answers = new KeptAnswers(kept);
  const routes = [
    ...uploadRoutes(clients, settings),
    ...fileRoutes(clients),
    ...operationRoutes(clients, settings, kept),
    ...signInRoutes(clients, settings),
    ...exportRoutes(clients),
    ...postingRoutes(clients, settings, answers),
    ...insightRoutes(clients, settings, answers),
    ...healthRoutes(deps),
  ];
  return [...routes, ...docsRoutes(routes, settings)];
}
