import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import type { Client } from "@hourglass/runtime";
import type { RecordKind, RequestContext } from "./http/request-context.js";

/** Clients of the services behind the REST interface, in this process or over a port. */
export interface Clients {
  readonly auth: Client<typeof AuthService>;
  readonly operation: Client<typeof OperationService>;
  readonly media: Client<typeof MediaService>;
  readonly insight: Client<typeof InsightService>;
  readonly export: Client<typeof ExportService>;
}

/** A service whose RPCs external callers can reach, with its client. */
export interface PublishedService {
  readonly service: DescService;
  readonly client: Client<DescService>;
  /** Product that must be active for the user's company. */
  readonly product?: string;
}

/**
 * SERVICE_SECRET gives access to the tokens of every company, and the number of guesses is not limited: services call
 * Auth at its own port.
 */
const UNPUBLISHED: readonly DescMethod[] = [AuthService.method.issueServiceToken];

/** What `id` means in the messages of a service. */
const RECORD_OF: ReadonlyMap<DescService, RecordKind> = new Map<DescService, RecordKind>([
  [OperationService, "operation"],
  [MediaService, "file"],
  [InsightService, "insight"],
  [ExportService, "export"],
]);

/** Names in the log line of a call the record that its request is about, or that its response says was created. */
export function noteRecord(context: RequestContext, { parent }: DescMethod, message: Message): void {
  const { id } = message as { id?: unknown };
  const kind = RECORD_OF.get(parent);
  if (kind === undefined || typeof id !== "bigint" || id === 0n) return;
  context.recordKind = kind;
  context.recordId = id;
}

const { signIn, changePassword } = AuthService.method;

/** Whether the method counts attempts by the address of the client, which the gateway fills in. */
export function takesClientAddress(method: DescMethod | undefined): boolean {
  return method === signIn || method === changePassword;
}

/** The published services. AdminService is not among them: it is for the owner of the data. */
export function publishedServices(clients: Clients): PublishedService[] {
  return [
    { service: AuthService, client: clients.auth },
    { service: OperationService, client: clients.operation, product: "api" },
    { service: MediaService, client: clients.media, product: "api" },
    { service: InsightService, client: clients.insight, product: "insight" },
    { service: ExportService, client: clients.export, product: "insight" },
  ];
}

/** The methods of a service that external callers can reach. */
export function publishedMethods({ methods }: DescService): DescMethod[] {
  return methods.filter((method) => !UNPUBLISHED.includes(method));
}
