import { Budget } from "./budget.js";
import { createUserLimit, type CountRequest } from "./rate-limit.js";
import { withDefaults, type GatewaySettings } from "../settings.js";

/** What one user, and all together, may take of a gateway, whichever of its ports and protocols they use. */
export interface SharedLimits {
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
  readonly budget: Budget;
}

/** Creates the limits of a process; all of its ports are given the same. */
export function createSharedLimits(settings: GatewaySettings): SharedLimits {
  const { heldBytesMax, rateLimitPerMinute } = withDefaults(settings);
  return {
    countRequest: createUserLimit(rateLimitPerMinute),
    budget: new Budget({ bytesMax: heldBytesMax, userBytesMax: heldBytesMax / 2 }),
  };
}
