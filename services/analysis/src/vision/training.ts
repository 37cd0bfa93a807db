/** What building the brand list and measuring the analyses of pictures need of this package. */
export { findMarks } from "../analyzers/logo-id/find-marks.js";
export { createLogoId } from "../analyzers/logo-id/index.js";
export { type BrandKind, BRANDS_FILE, type BrandSpelling, formatBrands } from "../analyzers/logo-id/brands.js";
export { brandKey, brandWords } from "../analyzers/logo-id/brand-spelling.js";
export { editDistance } from "../analyzers/logo-id/edit-distance.js";
export { entriesOf } from "../analyzers/topic/gazetteers.js";
export { inspectFile } from "../formats/index.js";
export { decodeImage } from "../image/decode-image.js";
export { createFrame } from "../image/frame.js";
export { wink } from "../text/wink.js";
export type { Frame, NamedMark } from "../visual.js";
export { drawMark, markOf, type MarkOnPicture } from "./draw-mark.js";
export { drawPrint, drawSentence, type PrintStyle, type SentenceStyle } from "./draw-print.js";
export { detectFaces } from "./faces/index.js";
export { detectObjects } from "./objects/index.js";
export { readWords } from "./words/index.js";
