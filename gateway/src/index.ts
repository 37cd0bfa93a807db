export { createGateway, type Gateway, type GatewayDeps } from "./gateway.js";
export { openGrpcPort, type GrpcPortDeps } from "./connect/open-grpc-port.js";
export { openGateway, type OpenGatewayDeps } from "./open-gateway.js";
export { createSharedLimits, type SharedLimits } from "./http/limits/shared-limits.js";
export type { Clients } from "./clients.js";
export type { GatewaySettings } from "./http/settings.js";
export type { ObserveRequest } from "./http/exchange.js";
export type { ReadMetrics } from "./routes/health.js";
export { gatewaySettings, type GatewayConfig } from "./config.js";
