import type { Endpoint } from "../http/routing/endpoint.js";

type Place = Pick<Endpoint, "method" | "path">;

type WithoutPlace<E> = E extends Endpoint ? Omit<E, keyof Place | "access" | "record"> : never;

/** An endpoint without its place. */
type Handler = WithoutPlace<Endpoint>;

/** The endpoints of a table: each place with its handler. */
export function insightEndpoints<K extends string>(
  places: Readonly<Record<K, Place>>,
  handlers: Readonly<Record<K, Handler>>,
): Endpoint[] {
  return Object.entries<Place>(places).map(([name, place]) => {
    const handler: Handler = handlers[name as K];
    return { ...handler, ...place, access: "insight", record: "insight" };
  });
}
