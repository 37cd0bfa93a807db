import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { ALL_PARTS, runPart } from "@hourglass/runtime";
import { exportSettings } from "./config.js";
import { connectInsight } from "./insight.js";
import { buildExportService } from "./service.js";
import { EXPORT_DATA } from "./store.js";

/**
 * Entry point of the process that serves Export and publishes accepted exports to the queue. Workers are separate
 * processes.
 */
runPart({
  name: "export",
  settings: { export: exportSettings },
  grpcPort: 50_055,
  opsPort: 9105,
  services: [ExportService],
  storage: ALL_PARTS,
  keeps: { data: () => [EXPORT_DATA] },
  // What it accepts waits in the store until the queue is back.
  servesWithout: ["queue"],
  needsServiceSecret: true,
  build: async (part) => {
    const { storage, config, log, lifecycle, metrics } = part;
    const insight = await connectInsight(part);
    const exports = await buildExportService({
      ...storage,
      insight,
      config: config.export,
      log,
      metrics,
      stopping: lifecycle.signal,
    });
    const start = () => {
      const relay = exports.startRelay();
      lifecycle.addWork("relay", (graceMs) => relay.stop(graceMs));
    };
    return { routes: exports.routes, start };
  },
});
