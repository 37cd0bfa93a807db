import { NO_PROXIES, type TrustedProxies } from "@hourglass/runtime";

/** What the gateway may be told. Its configuration holds a part of it; the rest has defaults. */
export interface GatewaySettings {
  /** Bytes of a request body at most. */
  readonly bodyBytesMax: number;
  /** Bytes of an uploaded file at most; such a body is never held. */
  readonly uploadBytesMax?: number;
  /** Requests of one user in a minute, over all routes; 0: no limit. */
  readonly rateLimitPerMinute: number;
  /** Named in the headers of a refused sign-in; the auth service counts. */
  readonly signInAttemptsPerMinute?: number;
  /** Named in the headers of a refused operation; the operation service counts. */
  readonly unfinishedOperationsMax?: number;
  /** Proxies before this server that say from whom a request came; none: the peer is the client. */
  readonly trustedProxies?: TrustedProxies;
  /** In every period of this length a body or an answer on its way must keep the pace. */
  readonly paceWindowMs?: number;
  /** The pace. */
  readonly bytesPerSecondMin?: number;
  /** Bytes of bodies and large answers that are held at a time; half of it for one user. */
  readonly heldBytesMax?: number;
  /** Until the headers of a request are complete. */
  readonly headersTimeoutMs?: number;
  /** An unused connection is closed after so long. */
  readonly keepAliveMs?: number;
  /** How long an unwanted body is read, so that its sender gets to see the answer. */
  readonly lingerMs?: number;
}

/** The settings with their defaults: every kind of slow client is gone within 35 seconds. */
export function withDefaults(settings: GatewaySettings): Required<GatewaySettings> {
  return {
    bodyBytesMax: settings.bodyBytesMax,
    uploadBytesMax: settings.uploadBytesMax ?? 104_857_600,
    rateLimitPerMinute: settings.rateLimitPerMinute,
    signInAttemptsPerMinute: settings.signInAttemptsPerMinute ?? 10,
    unfinishedOperationsMax: settings.unfinishedOperationsMax ?? 10_000,
    trustedProxies: settings.trustedProxies ?? NO_PROXIES,
    // The kernel's buffers may look like a client that reads, for one window.
    paceWindowMs: settings.paceWindowMs ?? 15_000,
    bytesPerSecondMin: settings.bytesPerSecondMin ?? 65_536,
    heldBytesMax: settings.heldBytesMax ?? 268_435_456,
    headersTimeoutMs: settings.headersTimeoutMs ?? 10_000,
    keepAliveMs: settings.keepAliveMs ?? 20_000,
    lingerMs: settings.lingerMs ?? 3_000,
  };
}
