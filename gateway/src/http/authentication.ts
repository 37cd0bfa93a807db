import type { DescMethod } from "@bufbuild/protobuf";
import {
  AppError,
  type Authenticate,
  type Principal,
  callersOf,
  isOpen,
  requireProduct,
  type AuthenticateService,
} from "@hourglass/runtime";
import type { Exchange } from "./request-context.js";
import type { CountRequest } from "./limits.js";
import type { PublishedService } from "../services.js";

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the token of an Authorization header. Fails with AppError `unauthenticated` if there is none. */
function bearerToken(authorization: string | undefined): string {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (token !== undefined) return token;
  throw new AppError(
    "unauthenticated",
    "This route needs an access token. Sign in, and send it as Authorization: Bearer <access token>.",
  );
}

/** Returns the principal of the request and the token to pass on. */
export async function authenticateRequest(
  authorization: string | undefined,
  authenticate: Authenticate,
): Promise<{ token: string; principal: Principal }> {
  const token = bearerToken(authorization);
  return { token, principal: await authenticate(token) };
}

/** How calls are admitted. */
export interface RpcAdmission {
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
}

/** Admits calls of one method in the order of the REST routes: token, rate, product. Returns the token to pass on. */
export type AdmitCall = (exchange: Exchange) => Promise<string>;

/** The service checks the token again; this check keeps strangers from sending bodies and counts users' requests. */
export function createAdmitCall(
  { product }: Pick<PublishedService, "product">,
  method: DescMethod,
  { authenticate, authenticateService, countRequest }: RpcAdmission,
): AdmitCall {
  if (isOpen(method)) return () => Promise.resolve("");
  return async (exchange) => {
    const token = bearerToken(exchange.req.headers.authorization);
    if (callersOf(method, token) === "services") {
      await authenticateService(token);
      return token;
    }
    const principal = await authenticate(token);
    exchange.principal = principal;
    if (countRequest !== undefined) await countRequest(exchange, principal);
    requireProduct(principal, product);
    return token;
  };
}
