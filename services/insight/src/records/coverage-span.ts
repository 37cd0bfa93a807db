import type { GapReason } from "../platforms/connector.js";

/** A span of time of posting, and how much of what the platform published in it was collected; as in the proto. */
export interface CoverageSpan {
  /** Inclusive, in milliseconds since the epoch. */
  from: number;
  /** Exclusive. */
  to: number;
  completeness: "complete" | "thin" | "unknown";
  /** Empty if complete. */
  reasons: GapReason[];
}
