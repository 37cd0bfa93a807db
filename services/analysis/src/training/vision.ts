/** The exports for building the brand list and evaluating the analyses of pictures. */
export { findMarks } from "../analyzers/logo-id/find-marks.js";
export { createLogoId } from "../analyzers/logo-id/builtin.js";
export {
  type BrandKind,
  brandKey,
  BRANDS_FILE,
  type BrandSpelling,
  brandWords,
  formatBrands,
} from "../analyzers/logo-id/brands.js";
export { editDistance } from "../analyzers/logo-id/match-brands.js";
export { entriesOf } from "../text/gazetteers.js";
export { inspectFile } from "../media/probe/inspector.js";
export { decodeImage } from "../media/image.js";
export { createFrame } from "../media/frame.js";
export { wink } from "../text/wink.js";
export type { Frame, NamedMark } from "../types.js";
export { drawMark, markOf, type MarkOnPicture } from "../vision/drawing.js";
export { drawPrint, drawSentence, type PrintStyle, type SentenceStyle } from "../vision/drawing.js";
export { detectFaces } from "../vision/faces.js";
export { detectObjects } from "../vision/objects.js";
export { readWords } from "../vision/words.js";
