import { withDefaults, type GatewaySettings } from "../config.js";
import { KeyAddresses } from "./key-addresses.js";
import { LargeRecords } from "./large-records.js";
import { Budget, createUserLimit, type CountRequest } from "./limits.js";

/** What one user, and all together, may take of a gateway, whichever of its ports and protocols they use. */
export interface SharedLimits {
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
  readonly budget: Budget;
  readonly largeRecords: LargeRecords;
  /** Limits nothing, and tells of API keys that may have leaked. */
  readonly keyAddresses: KeyAddresses;
}

/** Creates the limits of a process; all of its ports are given the same. */
export function createSharedLimits(settings: GatewaySettings): SharedLimits {
  const { heldBytesMax, rateLimitPerMinute } = withDefaults(settings);
  const budget = new Budget({ bytesMax: heldBytesMax, userBytesMax: heldBytesMax / 2 });
  const [largeRecords, keyAddresses] = [new LargeRecords(budget), new KeyAddresses()];
  return { countRequest: createUserLimit(rateLimitPerMinute), budget, largeRecords, keyAddresses };
}
