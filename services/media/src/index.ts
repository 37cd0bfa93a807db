export { buildMediaService, type BuiltMediaService, type MediaServiceDeps } from "./media-service.js";
export { RELEASE_QUEUE } from "./releases.js";
export { type GalleryAdministration, openGallery } from "./gallery/open-gallery.js";
