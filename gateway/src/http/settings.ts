import { platformNames } from "@hourglass/posting";
import { NO_PROXIES, type TrustedProxies } from "@hourglass/runtime";

/** The settings of the gateway. Its configuration contains some of them; the others have defaults. */
export interface GatewaySettings {
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytesMax: number;
  /** Maximum size of an uploaded file, in bytes; such a body is never held in memory. */
  readonly uploadBytesMax?: number;
  /** Requests of one user per minute, over all routes; 0: no limit. */
  readonly rateLimitPerMinute: number;
  /** Reported in the headers of a refused sign-in; the auth service counts. */
  readonly signInAttemptsPerMinute?: number;
  /** Reported in the headers of a refused operation; the operation service counts. */
  readonly unfinishedOperationsMax?: number;
  /** Proxies in front of this server that report the client of a request; none: the peer is the client. */
  readonly trustedProxies?: TrustedProxies;
  /** Names of the platforms of this server. Default: those of every server. */
  readonly platforms?: readonly string[];
  /** A body or a response in transfer must keep the pace in every period of this length. */
  readonly paceWindowMs?: number;
  /** The minimum pace. */
  readonly bytesPerSecondMin?: number;
  /** Bytes of bodies and large responses held at a time; half of it for one user. */
  readonly heldBytesMax?: number;
  /** Time for the headers of a request to be complete. */
  readonly headersTimeoutMs?: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveMs?: number;
  /** How long an unwanted body is read, so that its sender can read the response. */
  readonly lingerMs?: number;
}

/** The settings with their defaults: every kind of slow client is cut within 35 seconds. */
export function withDefaults(settings: GatewaySettings): Required<GatewaySettings> {
  return {
    bodyBytesMax: settings.bodyBytesMax,
    uploadBytesMax: settings.uploadBytesMax ?? 104_857_600,
    rateLimitPerMinute: settings.rateLimitPerMinute,
    signInAttemptsPerMinute: settings.signInAttemptsPerMinute ?? 10,
    unfinishedOperationsMax: settings.unfinishedOperationsMax ?? 10_000,
    trustedProxies: settings.trustedProxies ?? NO_PROXIES,
    platforms: settings.platforms ?? platformNames(),
    // For one window, the kernel's buffers may make a client appear to read.
    paceWindowMs: settings.paceWindowMs ?? 15_000,
    bytesPerSecondMin: settings.bytesPerSecondMin ?? 65_536,
    heldBytesMax: settings.heldBytesMax ?? 268_435_456,
    headersTimeoutMs: settings.headersTimeoutMs ?? 10_000,
    keepAliveMs: settings.keepAliveMs ?? 20_000,
    lingerMs: settings.lingerMs ?? 3_000,
  };
}
