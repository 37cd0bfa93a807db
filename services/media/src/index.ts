export { buildMediaService, type BuiltMediaService, type MediaServiceDeps } from "./media-service.js";
export { mediaSettings, type MediaConfig } from "./config.js";
export { MEDIA_FAILPOINTS } from "./failpoints.js";
export { type GalleryAdministration, openGallery } from "./gallery/open-gallery.js";
