import type { PlatformName } from "../../store/records.js";
import { AUTH_RECHECK_MS } from "../pace/policy.js";

/** A platform that rejected the credentials. */
export interface AuthRejection {
  readonly message: string;
  /** When the credentials are tried again, in milliseconds since the epoch. */
  readonly until: number;
}

/** The platforms that this process asks nothing for a while, because they rejected its credentials. */
export class AuthGates {
  private readonly rejections = new Map<PlatformName, AuthRejection>();

  /** Returns when the credentials are tried again: a gate that is closed already stays closed until its own time. */
  close(platform: PlatformName, message: string, now: number): number {
    const rejection = this.closed(platform, now) ?? { message, until: now + AUTH_RECHECK_MS };
    this.rejections.set(platform, rejection);
    return rejection.until;
  }

  /** Undefined if the platform may be asked. */
  closed(platform: PlatformName, now: number): AuthRejection | undefined {
    const rejection = this.rejections.get(platform);
    return rejection !== undefined && rejection.until > now ? rejection : undefined;
  }
}
