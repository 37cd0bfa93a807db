import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import type { Client } from "@hourglass/runtime";
import type { Clients } from "../clients.js";

/** A service whose RPCs callers from outside reach, by its client. */
export interface PublishedService {
  readonly service: DescService;
  readonly client: Client<DescService>;
  /** Product that the company of a user must have active. */
  readonly product?: string;
  /** Local names of the methods that need no token. */
  readonly open: readonly string[];
}

/**
 * Whoever knows SERVICE_SECRET gets every company's tokens from it, and nothing limits how often it is guessed: services
 * ask Auth at its own port.
 */
const UNPUBLISHED: readonly DescMethod[] = [AuthService.method.issueServiceToken];

/** The services that are published. AdminService is not: it is for whoever owns the data. */
export function publishedServices(clients: Clients): PublishedService[] {
  return [
    { service: AuthService, client: clients.auth, open: ["signIn", "listKeys"] },
    { service: OperationService, client: clients.operation, product: "api", open: [] },
    { service: MediaService, client: clients.media, product: "api", open: [] },
    { service: InsightService, client: clients.insight, product: "insight", open: [] },
    { service: ExportService, client: clients.export, product: "insight", open: [] },
  ];
}

/** The methods of a service that callers from outside reach. */
export function publishedMethods({ methods }: DescService): DescMethod[] {
  return methods.filter((method) => !UNPUBLISHED.includes(method));
}
