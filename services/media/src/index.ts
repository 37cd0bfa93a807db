export { mediaSettings } from "./config.js";
export { type GalleryAdministration, openGallery } from "./gallery.js";
export {
  buildMediaService,
  type BuiltMediaService,
  MEDIA_DATA,
  MEDIA_FAILPOINTS,
  MEDIA_SWEEP_FAILPOINTS,
} from "./service.js";
