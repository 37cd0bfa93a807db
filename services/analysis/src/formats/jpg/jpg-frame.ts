import { uint16 } from "../byte-reading.js";
import { checkPixels, type InspectionLimits } from "../limits.js";
import { UnacceptableFileError } from "../media-facts.js";
import { damaged } from "../sentences.js";

/** Second bytes of the markers of supported pictures: baseline, extended and progressive with Huffman coding. */
const BASELINE = 0xc0;
const EXTENDED = 0xc1;
const PROGRESSIVE = 0xc2;

/** One colour component of the picture. */
export interface JpgComponent {
  id: number;
  /** Horizontal sampling factor. */
  across: number;
  down: number;
}

/** Contents of a frame header. */
export interface JpgFrame {
  width: number;
  height: number;
  progressive: boolean;
  components: JpgComponent[];
}

/** Parses the segment of a frame header marker. */
export function readFrame(marker: number, content: Uint8Array, limits: InspectionLimits): JpgFrame {
  if (marker !== BASELINE && marker !== EXTENDED && marker !== PROGRESSIVE) {
    throw new UnacceptableFileError(
      "The JPG file is coded in a rare way (lossless, hierarchical or arithmetic). Save it as an ordinary or progressive JPG.",
    );
  }
  const count = content[5] ?? 0;
  if (content.length !== 6 + 3 * count) throw damaged("jpg", "its header has a wrong length");
  if (content[0] !== 8) {
    throw new UnacceptableFileError(
      `The JPG file has ${content[0]!} bits for each colour of a pixel; only 8 are accepted. Save it with 8.`,
    );
  }
  if (count !== 1 && count !== 3 && count !== 4) {
    throw damaged("jpg", `it says that it has ${count} colours; there can be 1, 3 or 4`);
  }
  const frame: JpgFrame = {
    width: uint16(content, 3),
    height: uint16(content, 1),
    progressive: marker === PROGRESSIVE,
    components: Array.from({ length: count }, (_, index) => readComponent(content, 6 + 3 * index)),
  };
  if (new Set(frame.components.map(({ id }) => id)).size < count)
    throw damaged("jpg", "two of its colours are the same");
  checkPixels("picture", frame, limits);
  return frame;
}

function readComponent(content: Uint8Array, at: number): JpgComponent {
  const [across, down] = [content[at + 1]! >> 4, content[at + 1]! & 0xf];
  if (across < 1 || across > 4 || down < 1 || down > 4) throw damaged("jpg", "the sampling of a colour is wrong");
  return { id: content[at]!, across, down };
}

/** Minimum number of 8 × 8 blocks in a scan of these components. */
export function countBlocks(frame: JpgFrame, components: readonly JpgComponent[]): number {
  const acrossMax = Math.max(...frame.components.map(({ across }) => across));
  const downMax = Math.max(...frame.components.map(({ down }) => down));
  let blocks = 0;
  for (const { across, down } of components) {
    blocks += Math.ceil((frame.width * across) / acrossMax / 8) * Math.ceil((frame.height * down) / downMax / 8);
  }
  return blocks;
}
