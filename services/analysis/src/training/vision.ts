/** The exports for building the brand list and evaluating the analyses of pictures. */
export { findMarks } from "../analyzers/logo-id/find-marks.js";
export { createLogoId } from "../analyzers/logo-id/builtin.js";
export { type BrandKind, BRANDS_FILE, type BrandSpelling, formatBrands } from "../analyzers/logo-id/brands.js";
export { brandKey, brandWords } from "../analyzers/logo-id/brand-spelling.js";
export { editDistance } from "../analyzers/logo-id/edit-distance.js";
export { entriesOf } from "../text/gazetteers.js";
export { inspectFile } from "../formats/index.js";
export { decodeImage } from "../decode/image/decode-image.js";
export { createFrame } from "../decode/image/frame.js";
export { wink } from "../text/wink.js";
export type { Frame, NamedMark } from "../visual.js";
export { drawMark, markOf, type MarkOnPicture } from "../vision/draw-mark.js";
export { drawPrint, drawSentence, type PrintStyle, type SentenceStyle } from "../vision/draw-print.js";
export { detectFaces } from "../vision/faces/index.js";
export { detectObjects } from "../vision/objects/index.js";
export { readWords } from "../vision/words/index.js";
