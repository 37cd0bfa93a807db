import type { MediaService } from "@hourglass/proto/media/v1/media_service";
import { AppError, type AuthenticatedContext, type Client } from "@hourglass/runtime";
import type { FileClaims } from "./ports/file-claims.js";

export type Media = Client<typeof MediaService>;

/** Claims at the media service, in the name of the caller. Asks for the call's signal only when there are files. */
export function mediaFileClaims(context: AuthenticatedContext, media: Media | undefined): FileClaims {
  const { token, requestId } = context;
  const reached = (): Media => {
    if (media !== undefined) return media;
    throw new AppError("unimplemented", "Files are not available in this version of the server.");
  };
  return {
    async claim(operationId, fileIds) {
      const request = { operationId: BigInt(operationId), fileIds: fileIds.map(BigInt) };
      try {
        await reached().claimFiles(request, { token, requestId, signal: context.signal });
      } catch (error) {
        throw inTermsOfContents(error);
      }
    },
    // The caller may be gone already, yet what was claimed has to go back.
    async release(operationId) {
      await reached().releaseFiles({ operationId: BigInt(operationId) }, { token, requestId });
    },
    async erase(operationId) {
      await reached().deleteFiles({ operationId: BigInt(operationId) }, { token, requestId, signal: context.signal });
    },
  };
}

/** The files of the claim are the contents of the operation, in the same order; its caller knows only those. */
function inTermsOfContents(error: unknown): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const violations = error.violations.map(({ field, message }) => {
    return { field: field.replace(/^file_ids(?=\[)/, "contents"), message };
  });
  return AppError.invalid(violations, error.code);
}
