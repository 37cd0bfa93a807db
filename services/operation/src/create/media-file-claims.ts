import type { MediaService } from "@hourglass/proto/media/v1/media_service";
import {
  AppError,
  type AuthenticatedContext,
  type Client,
  SERVICE_TOKEN_REFUSED,
  type ServiceTokens,
} from "@hourglass/runtime";
import type { FileClaims } from "./file-claims.js";

/** The media service, and the tokens for calling its service methods. */
export interface Media {
  client: Pick<Client<typeof MediaService>, "claimFiles" | "releaseFiles" | "deleteFiles">;
  serviceTokens: Pick<ServiceTokens, "call">;
}

/** Claims at the media service for the caller's company. Reads the call's signal only if there are files. */
export function mediaFileClaims(context: AuthenticatedContext, media: Media | undefined): FileClaims {
  const { requestId } = context;
  const call = <T>(work: (client: Media["client"], token: string) => Promise<T>): Promise<T> => {
    if (media !== undefined) return callAsService(context, media, work);
    return Promise.reject(
      new AppError("unimplemented", "Operations on files are not available on this server. Send texts instead."),
    );
  };
  return {
    async claim(operationId, fileIds) {
      const request = { operationId: BigInt(operationId), fileIds: fileIds.map(BigInt) };
      const { signal } = context;
      try {
        await call((client, token) => client.claimFiles(request, { token, requestId, signal }));
      } catch (error) {
        throw inTermsOfContents(error);
      }
    },
    // The release is not cancelled when the caller disconnects.
    async release(operationId) {
      const request = { operationId: BigInt(operationId) };
      await call((client, token) => client.releaseFiles(request, { token, requestId }));
    },
    async erase(operationId) {
      const request = { operationId: BigInt(operationId) };
      const { signal } = context;
      await call((client, token) => client.deleteFiles(request, { token, requestId, signal }));
    },
  };
}

/**
 * During an upgrade, Auth or Media may be of the previous release, which does not know service tokens; that release of
 * Media accepts the user's token.
 */
async function callAsService<T>(
  { principal, token }: AuthenticatedContext,
  { client, serviceTokens }: Media,
  work: (client: Media["client"], token: string) => Promise<T>,
): Promise<T> {
  try {
    return await serviceTokens.call(principal.companyId, (serviceToken) => work(client, serviceToken));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== SERVICE_TOKEN_REFUSED) throw error;
    return work(client, token).catch((second: unknown) => {
      if (!(second instanceof AppError) || second.kind !== "unauthenticated") throw second;
      throw new AppError("unavailable", error.message, { cause: error, retryAfterMs: 1000 });
    });
  }
}

/** The files of the claim are the contents of the operation, in the same order; the caller knows only the contents. */
function inTermsOfContents(error: unknown): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const violations = error.violations.map(({ field, message }) => {
    return { field: field.replace(/^file_ids(?=\[)/, "contents"), message };
  });
  return AppError.invalid(violations, error.code);
}
