/** What building the brand list and measuring the analyses of pictures need of this package. */
export { createLogoId } from "../analyzers/logo-id/index.js";
export { type BrandKind, BRANDS_FILE, type BrandSpelling, formatBrands } from "../analyzers/logo-id/brands.js";
export { brandKey, brandWords } from "../analyzers/logo-id/brand-spelling.js";
export { entriesOf } from "../analyzers/topic/gazetteers.js";
export { inspectFile } from "../formats/index.js";
export { decodeImage } from "../image/decode-image.js";
export { createFrame } from "../image/frame.js";
export { wink } from "../text/wink.js";
export type { Frame } from "../visual.js";
export { drawPrint, type PrintStyle } from "./draw-print.js";
export { detectFaces } from "./faces/index.js";
export { detectObjects } from "./objects/index.js";
