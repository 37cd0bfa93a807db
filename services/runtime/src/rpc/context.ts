/** Who a call acts for, as its token and the state of user and company say. */
export interface Principal {
  userId: number;
  companyId: number;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  products: readonly { uid: string; active: boolean }[];
}

/** What travels beside a request. */
export interface CallContext {
  readonly requestId: string;
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The bearer token as it came, to be passed on to other services; empty without one. */
  readonly token: string;
}

/** The context of a call whose token was accepted. */
export interface AuthenticatedContext extends CallContext {
  readonly principal: Principal;
}

/**
 * Checks a bearer token and the present state of its user. Fails with AppError `unauthenticated`, or `unavailable`
 * when it cannot be told.
 */
export type Authenticate = (token: string) => Promise<Principal>;
