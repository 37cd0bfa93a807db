/** The user a call acts for, as its token and the state of user and company say. */
export interface Principal {
  userId: number;
  companyId: number;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  products: readonly { uid: string; active: boolean }[];
}

/** A service that calls of its own accord, on behalf of a company. */
export interface ServicePrincipal {
  /** Such as `operation`. */
  service: string;
  companyId: number;
}

/** What travels beside a request. */
export interface CallContext {
  readonly requestId: string;
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The bearer token as it came, to be passed on to other services; empty without one. */
  readonly token: string;
  /** The service that calls, once its token was accepted; undefined for users. */
  readonly service?: string | undefined;
  /** Network address of the caller; absent for callers in this process. */
  readonly peerAddress?: string | undefined;
}

/** The context of a call whose token was accepted. */
export interface AuthenticatedContext extends CallContext {
  /** A service only in methods whose `callers` in proto/ takes them. */
  readonly principal: Principal | ServicePrincipal;
}

/**
 * Checks a bearer token and the present state of its user. Fails with AppError `unauthenticated`, or `unavailable`
 * when it cannot be told.
 */
export type Authenticate = (token: string) => Promise<Principal>;

/** Checks a token of a service. Fails like `Authenticate`. */
export type AuthenticateService = (token: string) => Promise<ServicePrincipal>;
