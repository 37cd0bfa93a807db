import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { runPart } from "@hourglass/runtime";
import { buildMediaService } from "./index.js";

/** Entry of the process that serves Media. */
runPart({
  name: "media",
  grpcPort: 50_052,
  opsPort: 9102,
  services: [MediaService],
  storage: [],
  build: () => Promise.resolve(buildMediaService()),
});
