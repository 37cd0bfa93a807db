import { failpoint } from "@hourglass/runtime";
import type { ClaimFilesDeps } from "./claim-files.js";
import { releaseIds } from "../records/collections.js";
import { HELD } from "../records/file-record.js";

/** A claim in flight at the time of its release arrives within this time. In milliseconds. */
const LATE_CLAIM_MAX_MS = 60 * 60_000;

/**
 * Frees the files claimed for the operation, permanently: a later claim for it gets nothing. With a company, frees only
 * the files of that company. Without a claim it frees nothing.
 */
export type ReleaseFiles = (operationId: number, companyId?: number) => Promise<void>;

export function createReleaseFiles({ files, releases, now, unusedMs }: ClaimFilesDeps): ReleaseFiles {
  return async (operationId, companyId) => {
    const mine = companyId === undefined ? { operationId } : { operationId, companyId };
    const { ofCompany, ofAny } = releaseIds(operationId, companyId ?? 0);
    await releases.put({ id: companyId === undefined ? ofAny : ofCompany, dueAt: now() + LATE_CLAIM_MAX_MS });
    failpoint("media.mid_release");
    const set = { state: "unused", operationId: null, dueAt: now() + unusedMs } as const;
    await files.updateMany({ ...mine, state: { in: HELD } }, { set });
  };
}
