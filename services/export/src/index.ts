import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { route, type Route } from "@hourglass/runtime";

/**
 * The export service. None of its methods is implemented: each checks its caller and request, then answers
 * UNIMPLEMENTED.
 */
export function buildExportService(): { routes: Route[] } {
  return { routes: [route(ExportService, {}, { product: "insight" })] };
}
