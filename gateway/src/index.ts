export { Gateway, type GatewayOptions } from "./gateway.js";
export { openGrpcPort, type GrpcPortOptions } from "./connect/grpc-port.js";
export { openGateway, type OpenGatewayOptions } from "./gateway.js";
export { createSharedLimits, type SharedLimits } from "./http/shared-limits.js";
export type { Clients } from "./services.js";
export type { GatewaySettings } from "./config.js";
export type { ObserveRequest } from "./http/request-context.js";
export type { ReadMetrics } from "./routes/health.js";
export { gatewaySettings, type GatewayConfig } from "./config.js";
