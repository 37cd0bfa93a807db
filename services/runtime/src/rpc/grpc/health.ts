import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
  type HealthCheckRequest,
} from "@hourglass/proto/grpc/health/v1/health";
import { AppError } from "../../errors/app-error.js";
import { type CallContext, route, type Route } from "../service.js";

/**
 * Service name for liveness probes: SERVING as long as the process runs. The other names depend on databases and
 * queues, and a process must not be restarted because one of those is unavailable. Probe it with
 * `grpc: { port, service: liveness }` in Kubernetes, or `grpc_health_probe -service=liveness`.
 */
const LIVENESS = "liveness";

/**
 * The standard health service, `grpc.health.v1`. Every named service and the server as a whole ("") have the same
 * state: whether the server is ready for calls. grpc-health-check is not used, because it delays shutdown while a
 * client watches, and its reflection data is rejected by grpcurl.
 */
export class HealthReporter {
  private status = Status.SERVING;
  private stopping = false;
  private readonly names: ReadonlySet<string>;
  private readonly watchers = new Set<() => void>();

  readonly route: Route;

  constructor(services: readonly string[]) {
    this.names = new Set(["", LIVENESS, Health.typeName, ...services]);
    this.route = route(
      Health,
      {
        check: ({ service }) => Promise.resolve({ status: this.known(service) }),
        list: () => Promise.resolve({ statuses: this.all() }),
        watch: (request, context) => this.watch(request, context),
      },
      { open: true },
    );
  }

  setServing(serving: boolean): void {
    this.status = serving ? Status.SERVING : Status.NOT_SERVING;
    for (const notify of this.watchers) notify();
  }

  /** Reports NOT_SERVING, then ends the watches, which would delay the shutdown of the server. */
  stop(): void {
    this.stopping = true;
    this.setServing(false);
  }

  private known(service: string): Status {
    const status = this.statusOf(service);
    if (status === Status.SERVICE_UNKNOWN)
      throw new AppError("not-found", "This server has no such service. Server reflection lists those that it has.");
    return status;
  }

  private all(): Record<string, { status: Status }> {
    return Object.fromEntries([...this.names].map((name) => [name, { status: this.statusOf(name) }]));
  }

  private statusOf(service: string): Status {
    if (service === LIVENESS) return Status.SERVING;
    return this.names.has(service) ? this.status : Status.SERVICE_UNKNOWN;
  }

  private async *watch({ service }: HealthCheckRequest, { signal }: CallContext) {
    let told: Status | undefined;
    for (;;) {
      const status = this.statusOf(service);
      if (status !== told) yield { status };
      told = status;
      if (signal.aborted) return;
      if (this.statusOf(service) !== told) continue;
      if (this.stopping) return;
      await this.changed(signal);
    }
  }

  private async changed(signal: AbortSignal): Promise<void> {
    let notify = (): void => undefined;
    await new Promise<void>((resolve) => {
      notify = resolve;
      this.watchers.add(notify);
      signal.addEventListener("abort", notify, { once: true });
    });
    this.watchers.delete(notify);
    signal.removeEventListener("abort", notify);
  }
}
