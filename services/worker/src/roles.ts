import { EXPORT_ROLES } from "@hourglass/export";
import { INSIGHT_ROLES } from "@hourglass/insight";
import { OPERATION_ROLES } from "@hourglass/operation";

/** Services that export roles, with the roles of each: the only ones that WORKER_ROLES can name. */
const EXPORTED = { operation: OPERATION_ROLES, insight: INSIGHT_ROLES, export: EXPORT_ROLES } satisfies Readonly<
  Record<string, readonly { readonly role: string }[]>
>;

/** Name of a service that exports roles. */
export type WorkingService = keyof typeof EXPORTED;

/** All roles, of all services. */
export const ROLES: readonly string[] = Object.values(EXPORTED).flatMap(namesOf);

/** The services that export one of the roles. */
export function servicesWith(roles: readonly string[]): WorkingService[] {
  const services = Object.keys(EXPORTED) as WorkingService[];
  return services.filter((service) => namesOf(EXPORTED[service]).some((role) => roles.includes(role)));
}

/** Whether one of the roles finds its work in a queue; those of insights find theirs in the store. */
export function needQueue(roles: readonly string[]): boolean {
  return servicesWith(roles).some((service) => service !== "insight");
}

function namesOf(roles: readonly { readonly role: string }[]): string[] {
  return roles.map(({ role }) => role);
}
