import { PreviewMaker } from "@hourglass/analysis/previews";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { ALL_PARTS, runPart } from "@hourglass/runtime";
import { mediaSettings } from "./config.js";
import { buildMediaService, MEDIA_DATA } from "./service.js";

/** Entry point of the process that serves Media and runs its sweeper. */
runPart({
  name: "media",
  settings: { media: mediaSettings },
  grpcPort: 50_052,
  opsPort: 9102,
  services: [MediaService],
  storage: ALL_PARTS,
  keeps: { data: () => [MEDIA_DATA] },
  // What is due waits in the store.
  servesWithout: ["queue"],
  build: async ({ config, storage, log, lifecycle, metrics }) => {
    const previews = new PreviewMaker(config.media.previews);
    lifecycle.add("small pictures", () => previews.close());
    const media = await buildMediaService({ ...storage, config: config.media, previews, log, metrics });
    const start = () => {
      const sweeper = media.startSweeper();
      lifecycle.addWork("sweeper", (graceMs) => sweeper.stop(graceMs));
    };
    return { routes: media.routes, start };
  },
});
