export { createGateway, type Gateway, type GatewayDeps } from "./gateway.js";
export type { Clients } from "./clients.js";
export type { GatewaySettings } from "./http/settings.js";
export type { ObserveRequest } from "./http/exchange.js";
export type { ReadMetrics, ReadReadiness, Readiness } from "./routes/health.js";
