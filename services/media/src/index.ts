import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { route, type Route } from "@hourglass/runtime";

/** The media service. None of its methods has work yet: each checks its caller and request, then answers UNIMPLEMENTED. */
export function buildMediaService(): { routes: Route[] } {
  return { routes: [route(MediaService, {}, { product: "api" })] };
}
