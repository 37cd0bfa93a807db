import { MediaService } from "@hourglass/proto/media/v1/media_service";
import type { RemoteClients, ServiceTokens } from "@hourglass/runtime";
import type { Media } from "./media-file-claims.js";

/** The media service of another process. */
export async function connectMedia({
  client,
  serviceTokens,
}: {
  client: RemoteClients;
  serviceTokens: () => Promise<ServiceTokens>;
}): Promise<Media> {
  return { client: await client(MediaService, "media"), serviceTokens: await serviceTokens() };
}
