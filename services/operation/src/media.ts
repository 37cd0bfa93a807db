import { MediaService } from "@hourglass/proto/media/v1/media_service";
import {
  AppError,
  type AuthenticatedContext,
  type Client,
  connectService,
  type ServiceTokens,
} from "@hourglass/runtime";

type MediaClient = Pick<Client<typeof MediaService>, "claimFiles" | "releaseFiles" | "deleteFiles">;

/** The media service, and the tokens for calling its service methods. */
export interface Media {
  client: MediaClient;
  serviceTokens: Pick<ServiceTokens, "call">;
}

/** The media service of another process. */
export function connectMedia(part: Parameters<typeof connectService>[0]): Promise<Media> {
  return connectService(part, MediaService, "media");
}

/** Whose files are released. */
export interface ReleasedOperation {
  id: number;
  companyId: number;
}

/** Releases the files that were claimed for an operation that is not stored, on this service's own behalf. */
export async function releaseFiles(media: Media | undefined, { id, companyId }: ReleasedOperation): Promise<void> {
  if (media === undefined) return;
  const { client, serviceTokens } = media;
  await serviceTokens.call(companyId, (token) => client.releaseFiles({ operationId: BigInt(id) }, { token }));
}

/** The calls of the media service that operations need: claims on uploaded files, for the caller's company. */
export class MediaCalls {
  constructor(
    private readonly context: AuthenticatedContext,
    private readonly media: Media | undefined,
  ) {}

  /** Claims all files for the operation or none: AppError `invalid` names each that is unknown or used. */
  async claim(operationId: number, fileIds: readonly number[]): Promise<void> {
    const request = { operationId: BigInt(operationId), fileIds: fileIds.map(BigInt) };
    // The signal is read only if there are files.
    const { requestId, signal } = this.context;
    try {
      await this.call((client, token) => client.claimFiles(request, { token, requestId, signal }));
    } catch (error) {
      throw inTermsOfContents(error);
    }
  }

  /** Releases the files that the operation claimed. Not cancelled when the caller disconnects. */
  async release(operationId: number): Promise<void> {
    const request = { operationId: BigInt(operationId) };
    const { requestId } = this.context;
    await this.call((client, token) => client.releaseFiles(request, { token, requestId }));
  }

  /** Deletes the files that the operation claimed. */
  async erase(operationId: number): Promise<void> {
    const request = { operationId: BigInt(operationId) };
    const { requestId, signal } = this.context;
    await this.call((client, token) => client.deleteFiles(request, { token, requestId, signal }));
  }

  private async call<T>(work: (client: MediaClient, token: string) => Promise<T>): Promise<T> {
    if (this.media === undefined)
      throw new AppError("unimplemented", "Operations on files are not available on this server. Send texts instead.");
    const { client, serviceTokens } = this.media;
    return serviceTokens.call(this.context.principal.companyId, (token) => work(client, token));
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
