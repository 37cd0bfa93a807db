import type { DescMethod } from "@bufbuild/protobuf";
import { callersOf, isOpen, requireProduct, type Authenticate, type AuthenticateService } from "@hourglass/runtime";
import { bearerToken } from "../authenticate.js";
import type { Exchange } from "../http/exchange.js";
import type { CountRequest } from "../http/limits/rate-limit.js";
import type { PublishedService } from "./published-services.js";

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
