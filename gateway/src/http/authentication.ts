import type { DescMethod } from "@bufbuild/protobuf";
import {
  AppError,
  callersOf,
  isOpen,
  requireService,
  requireProduct,
  type Authenticate,
  type AuthenticateService,
} from "@hourglass/runtime";
import type { KeyAddresses } from "./key-addresses.js";
import type { CountRequest } from "./limits.js";
import type { RequestContext } from "./request-context.js";

export interface AuthenticationOptions {
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
  readonly keyAddresses: KeyAddresses;
}

/** Who sends a request, and whether they may. Services check the token again, and what its role or key allows. */
export class Authentication {
  constructor(private readonly options: AuthenticationOptions) {}

  /** Finds the user or API key of a request by its token. Fails with AppError `unauthenticated`. */
  async identify(context: RequestContext): Promise<void> {
    const token = bearerToken(context);
    const principal = await this.options.authenticate(token);
    context.principal = principal;
    context.token = token;
    const { clientAddress, gateway } = context;
    this.options.keyAddresses.note({ principal, clientAddress, log: gateway.log });
  }

  /** Counts a request of its user or API key. Fails with AppError `too-many`. */
  count(context: RequestContext): Promise<void> | undefined {
    const { countRequest } = this.options;
    const { principal } = context;
    return countRequest === undefined || principal === undefined ? undefined : countRequest(context, principal);
  }

  /** Fails with AppError `forbidden` unless the company of the user has the product. */
  authorize({ principal }: RequestContext, product: string | undefined): void {
    if (principal !== undefined) requireProduct(principal, product);
  }

  /** Admits a call of an RPC, in the order of the REST routes: token, rate, product. */
  async admitCall(context: RequestContext, method: DescMethod, product: string | undefined): Promise<void> {
    if (isOpen(method)) return;
    const token = bearerToken(context);
    if (callersOf(method, token) === "services") {
      await requireService(token, this.options);
      context.token = token;
      return;
    }
    await this.identify(context);
    await this.count(context);
    this.authorize(context, product);
  }
}

const BEARER = /^Bearer +(\S+) *$/i;

function bearerToken({ req }: RequestContext): string {
  const token = BEARER.exec(req.headers.authorization ?? "")?.[1];
  if (token !== undefined) return token;
  throw new AppError(
    "unauthenticated",
    "This route needs an access token or an API key. Sign in, and send it as Authorization: Bearer <access token>.",
  );
}
