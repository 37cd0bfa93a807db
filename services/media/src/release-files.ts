import type { ClaimFilesDeps } from "./claim-files.js";
import { HELD } from "./file-record.js";

/** Frees what is claimed for the operation; with a company only what is that company's. Without a claim it does nothing. */
export type ReleaseFiles = (operationId: number, companyId?: number) => Promise<void>;

export function createReleaseFiles({ files, now, unusedMs }: ClaimFilesDeps): ReleaseFiles {
  return async (operationId, companyId) => {
    const mine = companyId === undefined ? { operationId } : { operationId, companyId };
    const set = { state: "unused", operationId: null, dueAt: now() + unusedMs } as const;
    await files.updateMany({ ...mine, state: { in: HELD } }, { set });
  };
}
