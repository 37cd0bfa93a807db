/** The user on whose behalf a call is made, from its token and the current state of user and company. */
export interface Principal {
  userId: number;
  companyId: number;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  products: readonly { uid: string; active: boolean }[];
}

/** A service that calls on its own initiative, on behalf of a company. */
export interface ServicePrincipal {
  /** For example `operation`. */
  service: string;
  companyId: number;
}

/** Data that accompanies a request. */
export interface CallContext {
  readonly requestId: string;
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The bearer token as received, to be passed on to other services; empty if there is none. */
  readonly token: string;
  /** The calling service, set after its token was accepted; undefined for users. */
  readonly service?: string | undefined;
  /** Network address of the caller; absent for callers in this process. */
  readonly peerAddress?: string | undefined;
}

/** The context of a call whose token was accepted. */
export interface AuthenticatedContext extends CallContext {
  /** A service only in methods whose `callers` option in proto/ allows services. */
  readonly principal: Principal | ServicePrincipal;
}

/**
 * Checks a bearer token and the current state of its user. Fails with AppError `unauthenticated`, or `unavailable` if
 * the check cannot be made.
 */
export type Authenticate = (token: string) => Promise<Principal>;

/** Checks a token of a service. Fails like `Authenticate`. */
export type AuthenticateService = (token: string) => Promise<ServicePrincipal>;
