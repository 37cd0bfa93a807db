import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { connectService } from "@hourglass/runtime";
import type { Media } from "./media-file-claims.js";

/** The media service of another process. */
export function connectMedia(part: Parameters<typeof connectService>[0]): Promise<Media> {
  return connectService(part, MediaService, "media");
}
