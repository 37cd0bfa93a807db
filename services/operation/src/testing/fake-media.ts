import { create } from "@bufbuild/protobuf";
import {
  ClaimFilesResponseSchema,
  DeleteFilesResponseSchema,
  ReleaseFilesResponseSchema,
} from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import type { Media } from "../create/media-file-claims.js";

/** Claims, as kept by the media service. */
export class FakeMedia {
  /** File ids by operation id. */
  readonly claims = new Map<bigint, readonly bigint[]>();
  claimFailure: AppError | undefined;
  /** Awaited once a claim is made, before it is answered. */
  answering: (() => Promise<void>) | undefined;
  releaseFailure: AppError | undefined;
  deleteFailure: AppError | undefined;
  /** Allows several operations to claim the same file. */
  shareClaims = false;

  readonly client: Media["client"] = {
    claimFiles: async ({ operationId = 0n, fileIds = [] }) => {
      if (this.claimFailure !== undefined) throw this.claimFailure;
      const others = [...this.claims].filter(([id]) => id !== operationId).map(([, ids]) => ids);
      const used = fileIds.findIndex((id) => others.some((ids) => ids.includes(id)));
      if (used >= 0 && !this.shareClaims) {
        throw AppError.invalid([{ field: `file_ids[${used}]`, message: "is used" }]);
      }
      this.claims.set(operationId, fileIds);
      await this.answering?.();
      return create(ClaimFilesResponseSchema);
    },
    releaseFiles: ({ operationId = 0n }) => {
      if (this.releaseFailure !== undefined) return Promise.reject(this.releaseFailure);
      this.claims.delete(operationId);
      return Promise.resolve(create(ReleaseFilesResponseSchema));
    },
    deleteFiles: ({ operationId = 0n }) => {
      if (this.deleteFailure !== undefined) return Promise.reject(this.deleteFailure);
      this.claims.delete(operationId);
      return Promise.resolve(create(DeleteFilesResponseSchema));
    },
  };

  /** The dependency given to the operation service. */
  readonly seen: Media = { client: this.client, serviceTokens: { call: (_, work) => work("token of a service") } };
}
