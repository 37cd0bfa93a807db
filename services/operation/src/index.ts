export { operationSettings } from "./config.js";
export { connectMedia } from "./media.js";
export { RUN_QUEUE } from "./run.js";
export {
  buildOperationService,
  type BuiltOperationService,
  OPERATION_FAILPOINTS,
  OPERATION_ROLES,
  OPERATION_SWEEP_FAILPOINTS,
  type OperationServiceDeps,
} from "./service.js";
export { OPERATION_DATA, OPERATIONS } from "./store.js";
