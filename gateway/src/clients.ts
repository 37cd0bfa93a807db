import type { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import type { ExportService } from "@hourglass/proto/export/v1/export_service";
import type { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import type { MediaService } from "@hourglass/proto/media/v1/media_service";
import type { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import type { Client } from "@hourglass/runtime";

/** Clients of the services behind the REST interface, in this process or over a port. */
export interface Clients {
  readonly auth: Client<typeof AuthService>;
  readonly operation: Client<typeof OperationService>;
  readonly media: Client<typeof MediaService>;
  readonly insight: Client<typeof InsightService>;
  readonly export: Client<typeof ExportService>;
}
