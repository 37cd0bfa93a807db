export { buildMediaService, type BuiltMediaService, type MediaServiceDeps } from "./media-service.js";
export { mediaSettings, type MediaConfig } from "./config.js";
export { MEDIA_FAILPOINTS } from "./failpoints.js";
export { MEDIA_DATA } from "./gallery/gallery-records.js";
export { type GalleryAdministration, openGallery } from "./gallery/open-gallery.js";
