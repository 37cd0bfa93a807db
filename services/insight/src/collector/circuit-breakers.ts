import type { PlatformName } from "../store/records.js";
import { AUTH_RECHECK_MS, PLATFORM_CIRCUIT_MS, PLATFORM_FAILURES_MAX } from "./schedule-policy.js";

interface Streak {
  failures: number;
  message: string;
  openUntil: number;
}

/** A platform that failed many searches in sequence. */
export interface OpenCircuit {
  readonly message: string;
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/**
 * The platforms that this process asks nothing for a while, because one search after the other failed there: their
 * requests would time out and take up all polls at a time. After that time one more failure is enough. How long a single
 * search pauses after failures of its own is in failures.ts.
 */
export class PlatformCircuits {
  private readonly streaks = new Map<PlatformName, Streak>();

  failed(platform: PlatformName, message: string, now: number): void {
    const failures = (this.streaks.get(platform)?.failures ?? 0) + 1;
    const openUntil = failures >= PLATFORM_FAILURES_MAX ? now + PLATFORM_CIRCUIT_MS : 0;
    this.streaks.set(platform, { failures, message, openUntil });
  }

  succeeded(platform: PlatformName): void {
    this.streaks.delete(platform);
  }

  /** Undefined if the platform may be asked. */
  open(platform: PlatformName, now: number): OpenCircuit | undefined {
    const streak = this.streaks.get(platform);
    if (streak === undefined || streak.openUntil <= now) return undefined;
    return { message: streak.message, until: streak.openUntil };
  }
}

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
