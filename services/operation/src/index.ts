export { buildOperationService, type BuiltOperationService, type OperationServiceDeps } from "./operation-service.js";
export { connectMedia } from "./create/connect-media.js";
export { OPERATION_FAILPOINTS } from "./job/failpoints.js";
export { RUN_QUEUE } from "./job/lanes.js";
export { OPERATION_DATA } from "./records/collections.js";
export { OPERATION_ROLES } from "./roles.js";
export { operationSettings, type OperationConfig } from "./config.js";
