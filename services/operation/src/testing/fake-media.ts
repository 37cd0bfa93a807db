import { create } from "@bufbuild/protobuf";
import {
  ClaimFilesResponseSchema,
  DeleteFilesResponseSchema,
  type MediaService,
  ReleaseFilesResponseSchema,
} from "@hourglass/proto/media/v1/media_service";
import { AppError, type Client } from "@hourglass/runtime";

/** Claims as the media service keeps them. */
export class FakeMedia {
  /** Operation to its files. */
  readonly claims = new Map<bigint, readonly bigint[]>();
  claimFailure: AppError | undefined;
  /** Lets several operations claim one file. */
  shareClaims = false;

  readonly client: Client<typeof MediaService> = {
    claimFiles: ({ operationId = 0n, fileIds = [] }) => {
      if (this.claimFailure !== undefined) return Promise.reject(this.claimFailure);
      const used = fileIds.findIndex((id) => [...this.claims.values()].some((ids) => ids.includes(id)));
      if (used >= 0 && !this.shareClaims) {
        return Promise.reject(AppError.invalid([{ field: `file_ids[${used}]`, message: "is used" }]));
      }
      this.claims.set(operationId, fileIds);
      return Promise.resolve(create(ClaimFilesResponseSchema));
    },
    releaseFiles: ({ operationId = 0n }) => {
      this.claims.delete(operationId);
      return Promise.resolve(create(ReleaseFilesResponseSchema));
    },
    deleteFiles: ({ operationId = 0n }) => {
      this.claims.delete(operationId);
      return Promise.resolve(create(DeleteFilesResponseSchema));
    },
    uploadFile: () => Promise.reject(new Error("not used here")),
    readFile: () => {
      throw new Error("not used here");
    },
  };
}
