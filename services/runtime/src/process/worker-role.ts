import type { Lifecycle } from "./lifecycle.js";
import type { Stoppable } from "./repetition.js";

/** A kind of background work exported by a service. A process runs the roles listed in WORKER_ROLES. */
export interface WorkerRole<Service> {
  /** Its name in WORKER_ROLES: service and activity, for example `operation.run`. */
  readonly role: string;
  /** Starts the work on the built service. */
  start(service: Service): Stoppable;
}

/** The roles that a process runs, and the lifecycle that stops them. */
export interface RoleSelection {
  readonly wanted: readonly string[];
  readonly lifecycle: Pick<Lifecycle, "addWork">;
}

/** Starts the selected roles of a service; the lifecycle stops them. */
export function startRoles<Service>(
  roles: readonly WorkerRole<Service>[],
  service: Service,
  { wanted, lifecycle }: RoleSelection,
): void {
  for (const each of roles) {
    if (!wanted.includes(each.role)) continue;
    const work = each.start(service);
    lifecycle.addWork(each.role, (graceMs) => work.stop(graceMs));
  }
}
