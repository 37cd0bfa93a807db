import type { Lifecycle } from "./lifecycle.js";
import type { Stoppable } from "./repetition.js";

/** One kind of background work that a service exports. A process does those that its WORKER_ROLES names. */
export interface WorkerRole<Service> {
  /** Its name in WORKER_ROLES: the service and what is done, such as `operation.run`. */
  readonly role: string;
  /** Starts the work on the built service. */
  start(service: Service): Stoppable;
}

/** Which roles a process does, and what stops them. */
export interface RoleSelection {
  readonly wanted: readonly string[];
  readonly lifecycle: Pick<Lifecycle, "add">;
}

/** Starts those roles of a service that the process does; the lifecycle stops them. */
export function startRoles<Service>(
  roles: readonly WorkerRole<Service>[],
  service: Service,
  { wanted, lifecycle }: RoleSelection,
): void {
  for (const each of roles) {
    if (!wanted.includes(each.role)) continue;
    const work = each.start(service);
    lifecycle.add(each.role, (graceMs) => work.stop(graceMs));
  }
}
