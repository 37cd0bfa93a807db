import type { CompanyErasures } from "@hourglass/auth";
import type { Blobs, ServiceData, Store, StoreContents } from "@hourglass/runtime";
import type { Progress } from "../progress.js";

/** What the erasure of a company needs. */
export interface EraseDeps {
  store: Store;
  blobs: Blobs;
  contents: Pick<StoreContents, "scrub">;
  erasures: CompanyErasures;
  data: readonly ServiceData[];
  progress: Progress;
}
