export { buildOperationService, type BuiltOperationService, type OperationServiceDeps } from "./operation-service.js";
export { OPERATION_FAILPOINTS, type OperationFailpoint } from "./failpoints.js";
export { LANE_QUEUES, RUN_QUEUE } from "./outbox/lanes.js";
export { OPERATION_ROLES } from "./roles.js";
export { operationSettings, type OperationConfig } from "./config.js";
