import { answer, parameter, type RouteDoc } from "./route.js";
import type { Schema } from "./schema.js";

/** What is particular to a route of a kind of record. */
type Head = Pick<RouteDoc, "tag" | "summary" | "description" | "parameters"> & { readonly id?: string };

/** The description of the route; it has an id if the head has one. */
type Described<H extends Head> = H & Omit<RouteDoc, "id">;

/** A page of the records; `content` is the answer's. */
export function listRoute<H extends Head>(head: H, content: Schema): Described<H> {
  return {
    description: "Newest first.",
    ...head,
    parameters: [parameter("Limit"), parameter("Cursor"), ...(head.parameters ?? [])],
    answers: { 200: answer("A page.", content) },
    failures: [400],
  };
}

/** A record by its id. */
export function readRoute<H extends Head>(head: H, description: string, content: Schema): Described<H> {
  return { ...head, parameters: [parameter("Id")], answers: { 200: answer(description, content) }, failures: [404] };
}

/** A record by its id that takes time to reach its end, which the caller can wait for. */
export function waitRoute<H extends Head>(head: H, description: string, content: Schema): Described<H> {
  const retry = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
  return {
    ...head,
    parameters: [parameter("Id"), parameter("Wait")],
    answers: { 200: answer(description, content, retry) },
    failures: [400, 404, 504],
  };
}

/** Deletes a record by its id. */
export function deleteRoute<H extends Head>(head: H, failures: NonNullable<RouteDoc["failures"]> = []): Described<H> {
  return {
    ...head,
    parameters: [parameter("Id")],
    answers: { 204: answer("It is gone.") },
    failures: [...failures, 404],
  };
}
