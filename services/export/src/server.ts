import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { runPart } from "@hourglass/runtime";
import { buildExportService } from "./index.js";

/** Entry point of the process that serves Export. */
runPart({
  name: "export",
  settings: {},
  grpcPort: 50_055,
  opsPort: 9105,
  services: [ExportService],
  storage: [],
  build: () => Promise.resolve(buildExportService()),
});
