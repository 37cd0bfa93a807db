import { AppError, requireProduct, type Authenticate } from "@hourglass/runtime";
import { authenticateRequest } from "../../authenticate.js";
import { errorReply, OverQuota, ServerBusy } from "../errors.js";
import { toRestError } from "../../json/field-errors.js";
import { Call, type PathParams } from "./call.js";
import { USUAL_BYTES_MAX, type Endpoint } from "./endpoint.js";
import type { Exchange } from "../exchange.js";
import type { CountRequest } from "../limits/rate-limit.js";
import type { Reply } from "../reply.js";
import { readJsonBody } from "../body/json-body.js";
import { readChunks, requireMediaType, requireUtf8 } from "../body/request-body.js";
import { revalidated } from "../response/revalidate.js";
import { send } from "../response/send.js";

/** The checks before the routes. */
export interface Admission {
  readonly authenticate: Authenticate;
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
}

/** Answers one request of an endpoint, in the order: token, rate, product, body, handler. Never fails. */
export async function serve(
  endpoint: Endpoint,
  admission: Admission,
  exchange: Exchange,
  params: PathParams,
): Promise<void> {
  exchange.route = endpoint.path;
  exchange.quota = endpoint.quota;
  exchange.recordKind = endpoint.record;
  try {
    const call = await admit(endpoint, admission, exchange, params);
    const reply = await answer(endpoint, call);
    const isRead = endpoint.method === "GET" && endpoint.access !== "open";
    send(exchange, isRead ? revalidated(exchange.req, reply) : reply);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Answers with a failure; an unexpected error is logged in full and sent to the client without internals. */
export function fail(exchange: Exchange, error: unknown): void {
  const failure = AppError.from(error);
  if (failure instanceof OverQuota || failure instanceof ServerBusy) exchange.context.countShed(failure.code);
  // Errors of services have been logged where they occurred.
  if (failure !== error) exchange.context.log.error({ err: error, request_id: exchange.requestId }, "request failed");
  send(exchange, errorReply(toRestError(failure), exchange.requestId, exchange.quota));
}

async function admit(
  endpoint: Endpoint,
  { authenticate, countRequest }: Admission,
  exchange: Exchange,
  params: PathParams,
): Promise<Call> {
  if (endpoint.access === "open") return new Call(exchange, params, "", undefined);
  const { token, principal } = await authenticateRequest(exchange.req.headers.authorization, authenticate);
  exchange.principal = principal;
  if (countRequest !== undefined) await countRequest(exchange, principal);
  requireProduct(principal, endpoint.access);
  return new Call(exchange, params, token, principal);
}

async function answer(endpoint: Endpoint, call: Call): Promise<Reply> {
  const usual = endpoint.body === "json" ? USUAL_BYTES_MAX : Infinity;
  const bytesMax = Math.min(endpoint.bodyBytesMax ?? usual, call.exchange.context.settings.bodyBytesMax);
  switch (endpoint.body) {
    case undefined:
      return endpoint.handle(call);
    case "json":
      requireMediaType(call.exchange, ["application/json"]);
      requireUtf8(call.exchange);
      return endpoint.handle(call, await readObject(call.exchange, bytesMax));
    case "chunks":
      requireMediaType(call.exchange, endpoint.types);
      requireUtf8(call.exchange);
      return endpoint.handle(call, await readChunks(call.exchange, bytesMax));
    case "multipart":
      call.exchange.sendsFile = true;
      requireMediaType(call.exchange, ["multipart/form-data"]);
      return endpoint.handle(call);
  }
}

async function readObject(exchange: Exchange, bytesMax: number): Promise<Record<string, unknown>> {
  const json = await readJsonBody(exchange, bytesMax);
  if (json === undefined)
    throw new AppError("invalid", "The request needs a body: send a JSON object.", { code: "invalid_json" });
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new AppError("invalid", "The body is not an object: send a JSON object.", { code: "invalid_json" });
}
