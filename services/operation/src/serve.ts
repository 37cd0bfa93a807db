import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { runPart } from "@hourglass/runtime";
import { operationSettings } from "./config.js";
import { connectMedia } from "./media.js";
import { buildOperationService } from "./service.js";
import { OPERATION_DATA } from "./store.js";

/**
 * Entry point of the process that serves Operation and publishes accepted operations to the queue. Workers are separate
 * processes.
 */
runPart({
  name: "operation",
  settings: { operation: operationSettings },
  grpcPort: 50_053,
  opsPort: 9103,
  services: [OperationService],
  storage: ["store", "queue"],
  keeps: { data: () => [OPERATION_DATA] },
  // What it accepts waits in the store until the queue is back.
  servesWithout: ["queue"],
  needsServiceSecret: true,
  build: async (part) => {
    const { storage, config, log, lifecycle, metrics } = part;
    const operations = await buildOperationService({
      ...storage,
      media: await connectMedia(part),
      config: config.operation,
      log,
      metrics,
      stopping: lifecycle.signal,
    });
    const start = () => {
      const relay = operations.startRelay();
      lifecycle.addWork("relay", (graceMs) => relay.stop(graceMs));
    };
    return { routes: operations.routes, start };
  },
});
