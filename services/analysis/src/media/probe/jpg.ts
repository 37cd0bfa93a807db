import { latin, type Parser, scan, skip, take, uint16 } from "./bytes.js";
import { isSideways, turned } from "./exif.js";
import { checkPixels, type ContentFacts, damaged, type InspectionLimits, UnacceptableFileError } from "./facts.js";

/** Second bytes of markers. ITU-T T.81, table B.1. */
const MARKER = {
  TEM: 0x01,
  DHT: 0xc4,
  RST0: 0xd0,
  RST7: 0xd7,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  APP0: 0xe0,
  APP1: 0xe1,
  COM: 0xfe,
};

/** Progressive pictures have about ten; thousands would keep a decoder busy. */
const SCANS_MAX = 64;
/** Bytes between two segments that decoders skip; with more than these they lose what follows. */
const JUNK_BYTES_MAX = 99;
const EXIF = "Exif\0\0";

/** State of the parser. */
interface Progress {
  frame: JpgFrame | undefined;
  scans: number;
  /** Components that occurred in a scan. */
  scanned: Set<number>;
  /** Whether viewers exchange width and height; undefined until there are Exif data. */
  sideways: boolean | undefined;
}

/** Reads a JPG from its first to its last marker; cameras append previews, films and trailers. */
export function* readJpg(limits: InspectionLimits): Parser<ContentFacts> {
  yield skip(2);
  const progress: Progress = { frame: undefined, scans: 0, scanned: new Set(), sideways: undefined };
  let marker = yield* readMarker();
  while (marker !== MARKER.EOI) {
    if (marker === MARKER.SOS) {
      marker = yield* readScan(progress);
    } else {
      yield* readSegment(marker, progress, limits);
      marker = yield* readMarker();
    }
  }
  const { frame, scanned, sideways } = progress;
  if (frame === undefined || scanned.size < frame.components.length)
    throw damaged("jpg", "a part of its picture is missing");
  const { width, height } = turned(frame, sideways === true);
  return { format: "jpg", width, height, hasSound: false, hasPictures: true };
}

/** Any number of fill bytes, 0xff, may precede a marker; 0xff and zero is none. */
function* readMarker(): Parser<number> {
  const state = { marker: 0, junk: 0, ones: false };
  yield scan((piece) => {
    let at = 0;
    for (; at < piece.length && state.marker === 0 && state.junk <= JUNK_BYTES_MAX; at++) {
      const byte = piece[at]!;
      if (byte === 0xff) {
        state.ones = true;
      } else if (state.ones && byte !== 0) {
        state.marker = byte;
      } else {
        state.junk += state.ones ? 2 : 1;
        state.ones = false;
      }
    }
    return at;
  });
  if (state.junk > JUNK_BYTES_MAX) throw damaged("jpg", "a segment does not begin where the one before ends");
  // Throws, because the file ends here.
  if (state.marker === 0) yield skip(1);
  return state.marker;
}

/** The content of a segment; at most 65,533 bytes. */
function* readContent(): Parser<Uint8Array> {
  const length = uint16(yield take(2), 0);
  if (length < 2) throw damaged("jpg", "a segment has an impossible length");
  return yield take(length - 2);
}

function* readSegment(marker: number, progress: Progress, limits: InspectionLimits): Parser<void> {
  const named = marker >= MARKER.APP0 && marker < MARKER.APP0 + 16;
  if (marker >= 0xc0 && marker <= 0xcf && marker !== MARKER.DHT) {
    if (progress.frame !== undefined) throw damaged("jpg", "it has two headers");
    progress.frame = readFrame(marker, yield* readContent(), limits);
  } else if (marker === MARKER.DHT) {
    checkHuffmanTables(yield* readContent());
  } else if (marker === MARKER.DQT) {
    checkQuantizationTables(yield* readContent());
  } else if (marker === MARKER.APP1) {
    const content = yield* readContent();
    if (latin(content, 0, EXIF.length) === EXIF) progress.sideways ??= isSideways(content.subarray(EXIF.length));
  } else if (named || marker === MARKER.COM || marker === MARKER.DRI || marker === MARKER.DNL) {
    yield* readContent();
  } else if (marker !== MARKER.TEM && (marker < MARKER.RST0 || marker > MARKER.RST7)) {
    throw damaged("jpg", `it has an unexpected marker ${marker.toString(16).toUpperCase()}`);
  }
}

/** Any number of tables: class and slot, 16 counts by code length, and that many symbols. */
function checkHuffmanTables(content: Uint8Array): void {
  let at = 0;
  while (at < content.length) {
    let symbols = 0;
    for (let length = 1; length <= 16; length++) symbols += content[at + length] ?? Infinity;
    if (content[at]! > 0x1f || (content[at]! & 0xf) > 3 || symbols > 256)
      throw damaged("jpg", "a Huffman table is wrong");
    at += 17 + symbols;
  }
  if (at !== content.length) throw damaged("jpg", "a Huffman table is cut off");
}

/** Any number of tables: precision and slot, and 64 numbers of one or two bytes. */
function checkQuantizationTables(content: Uint8Array): void {
  let at = 0;
  while (at < content.length) {
    if (content[at]! > 0x1f || (content[at]! & 0xf) > 3) throw damaged("jpg", "a quantization table is wrong");
    at += content[at]! < 0x10 ? 65 : 129;
  }
  if (at !== content.length) throw damaged("jpg", "a quantization table is cut off");
}

/** Reads a scan's header and its data; returns the marker that ends it. */
function* readScan(progress: Progress): Parser<number> {
  const { frame } = progress;
  if (frame === undefined) throw damaged("jpg", "its picture begins before its header");
  progress.scans += 1;
  if (progress.scans > SCANS_MAX) throw damaged("jpg", `its picture is in more than ${SCANS_MAX} parts`);
  const header = yield* readContent();
  const count = header[0] ?? 0;
  if (count < 1 || count > 4 || header.length !== 4 + 2 * count) throw damaged("jpg", "the header of a scan is wrong");
  const components = [];
  for (let index = 0; index < count; index++) {
    const component = frame.components.find(({ id }) => id === header[1 + 2 * index]);
    if (component === undefined) throw damaged("jpg", "a scan has a component that the header lacks");
    components.push(component);
    progress.scanned.add(component.id);
  }
  const [first, last, approximation] = [header[1 + 2 * count]!, header[2 + 2 * count]!, header[3 + 2 * count]!];
  if (first > last || last > 63) throw damaged("jpg", "the header of a scan is wrong");
  const { marker, bytes } = yield* readEntropyCodedData();
  // The shortest code has one bit: one code for the mean of a block, and one for the end of the block.
  const bitsPerBlock = frame.progressive ? Number(first === 0 && approximation < 0x10) : 2;
  if (8 * bytes < bitsPerBlock * countBlocks(frame, components)) {
    const size = `${frame.width} × ${frame.height}`;
    throw damaged(
      "jpg",
      `it says that it is ${size} pixels large, but a scan has ${bytes} bytes, which cannot hold that`,
    );
  }
  return marker;
}

/**
 * Reads up to and including the marker that ends the data. Restart markers, fill bytes and stuffed zeros after 0xff
 * belong to the data.
 */
function* readEntropyCodedData(): Parser<{ marker: number; bytes: number }> {
  const data = { marker: 0, bytes: 0, ones: false };
  yield scan((piece) => {
    let at = 0;
    while (at < piece.length && data.marker === 0) {
      if (!data.ones) {
        while (at < piece.length && piece[at] !== 0xff) at += 1;
        data.ones = at < piece.length;
      } else {
        const byte = piece[at]!;
        data.ones = byte === 0xff;
        if (byte !== 0 && byte !== 0xff && (byte < 0xd0 || byte > 0xd7)) data.marker = byte;
      }
      if (at < piece.length) at += 1;
    }
    data.bytes += at;
    return at;
  });
  // Throws, because the file ends here.
  if (data.marker === 0) yield skip(1);
  return data;
}

/** Second bytes of the markers of supported pictures: baseline, extended and progressive with Huffman coding. */
const BASELINE = 0xc0;
const EXTENDED = 0xc1;
const PROGRESSIVE = 0xc2;

/** One color component of the picture. */
interface JpgComponent {
  id: number;
  /** Horizontal sampling factor. */
  across: number;
  down: number;
}

/** Contents of a frame header. */
interface JpgFrame {
  width: number;
  height: number;
  progressive: boolean;
  components: JpgComponent[];
}

/** Parses the segment of a frame header marker. */
function readFrame(marker: number, content: Uint8Array, limits: InspectionLimits): JpgFrame {
  if (marker !== BASELINE && marker !== EXTENDED && marker !== PROGRESSIVE) {
    throw new UnacceptableFileError(
      "The JPG file is coded in a rare way (lossless, hierarchical or arithmetic). Save it as an ordinary or progressive JPG.",
    );
  }
  const count = content[5] ?? 0;
  if (content.length !== 6 + 3 * count) throw damaged("jpg", "its header has a wrong length");
  if (content[0] !== 8) {
    throw new UnacceptableFileError(
      `The JPG file has ${content[0]!} bits for each color of a pixel; only 8 are accepted. Save it with 8.`,
    );
  }
  if (count !== 1 && count !== 3 && count !== 4) {
    throw damaged("jpg", `it says that it has ${count} colors; there can be 1, 3 or 4`);
  }
  const frame: JpgFrame = {
    width: uint16(content, 3),
    height: uint16(content, 1),
    progressive: marker === PROGRESSIVE,
    components: Array.from({ length: count }, (_, index) => readComponent(content, 6 + 3 * index)),
  };
  if (new Set(frame.components.map(({ id }) => id)).size < count)
    throw damaged("jpg", "two of its colors are the same");
  checkPixels("picture", frame, limits);
  return frame;
}

function readComponent(content: Uint8Array, at: number): JpgComponent {
  const [across, down] = [content[at + 1]! >> 4, content[at + 1]! & 0xf];
  if (across < 1 || across > 4 || down < 1 || down > 4) throw damaged("jpg", "the sampling of a color is wrong");
  return { id: content[at]!, across, down };
}

/** Minimum number of 8 × 8 blocks in a scan of these components. */
function countBlocks(frame: JpgFrame, components: readonly JpgComponent[]): number {
  const acrossMax = Math.max(...frame.components.map(({ across }) => across));
  const downMax = Math.max(...frame.components.map(({ down }) => down));
  let blocks = 0;
  for (const { across, down } of components) {
    blocks += Math.ceil((frame.width * across) / acrossMax / 8) * Math.ceil((frame.height * down) / downMax / 8);
  }
  return blocks;
}
