export { createGateway, type Gateway, type GatewayDeps } from "./gateway.js";
export type { Clients } from "./clients.js";
export { settingsOf, type GatewaySettings } from "./http/settings.js";
export type { ObserveRequest } from "./http/exchange.js";
export type { ReadMetrics } from "./routes/health.js";
