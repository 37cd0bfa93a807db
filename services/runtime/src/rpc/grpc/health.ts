import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
  type HealthCheckRequest,
} from "@hourglass/proto/grpc/health/v1/health";
import { AppError } from "../../errors/app-error.js";
import type { CallContext } from "../context.js";
import { route, type Route } from "../service.js";

/**
 * The standard health service, `grpc.health.v1`. Every service named, and the server as a whole (""), has the same
 * state. Written here rather than taken from grpc-health-check: that one holds up a stop while somebody watches, and
 * describes itself in a way that grpcurl refuses.
 */
export class HealthReporter {
  private status = Status.SERVING;
  private stopping = false;
  private readonly names: ReadonlySet<string>;
  private readonly watchers = new Set<() => void>();

  readonly route: Route;

  constructor(services: readonly string[]) {
    this.names = new Set(["", Health.typeName, ...services]);
    this.route = route(
      Health,
      {
        check: ({ service }) => Promise.resolve({ status: this.known(service) }),
        list: () => Promise.resolve({ statuses: this.all() }),
        watch: (request, context) => this.watch(request, context),
      },
      { open: ["check", "list", "watch"] },
    );
  }

  setServing(serving: boolean): void {
    this.status = serving ? Status.SERVING : Status.NOT_SERVING;
    for (const notify of this.watchers) notify();
  }

  /** Reports NOT_SERVING, then lets the watchers go: they would hold up the end of the server. */
  stop(): void {
    this.stopping = true;
    this.setServing(false);
  }

  private known(service: string): Status {
    if (this.names.has(service)) return this.status;
    throw new AppError("not-found", "There is no such service here.");
  }

  private all(): Record<string, { status: Status }> {
    return Object.fromEntries([...this.names].map((name) => [name, { status: this.status }]));
  }

  private async *watch({ service }: HealthCheckRequest, { signal }: CallContext) {
    for (;;) {
      const told = this.status;
      yield { status: this.names.has(service) ? told : Status.SERVICE_UNKNOWN };
      if (signal.aborted) return;
      if (this.status !== told) continue;
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
