import { createInspector } from "../formats/inspector.js";
import { URL_FORMATS, type InspectionLimits } from "../formats/limits.js";
import type { MediaFacts } from "../formats/media-facts.js";

/** The product's default limits: 40 megapixels, 15 minutes, 100 MiB. */
const LIMITS: InspectionLimits = {
  imagePixelsMax: 40_000_000,
  durationMsMax: 15 * 60_000,
  sizeBytesMax: 100 * 2 ** 20,
  formats: URL_FORMATS,
};

/** The facts from the headers of the file, passed in one piece. Throws UnacceptableFileError. */
export function inspected(file: Uint8Array, limits: Partial<InspectionLimits> = {}): MediaFacts {
  const inspector = createInspector({ ...LIMITS, ...limits });
  inspector.write(file);
  return inspector.end();
}
