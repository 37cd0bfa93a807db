import { crc32 } from "node:zlib";
import { latin, type Parser, peek, scan, skip, take, TAKE_MAX, uint32 } from "./bytes.js";
import { isSideways, turned } from "./exif.js";
import { checkPixels, type ContentFacts, damaged, type InspectionLimits } from "./facts.js";

/** Channels by color type, and the bit depths of each. Portable Network Graphics, third edition, 11.2.1. */
const COLORS = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);
/** The format's own limit for a chunk. */
const CHUNK_BYTES_MAX = 2 ** 31 - 1;
/** Encoders write chunks of 8 KiB or more. */
const CHUNKS_MAX = 200_000;
/** Maximum expansion of deflate: 1,032 bytes from one. */
const INFLATION_MAX = 1032;
const ADAM7 = 1;

interface Header {
  width: number;
  height: number;
  color: number;
  /** Minimum size of the inflated pixels in bytes. */
  rawBytes: number;
}

interface Chunk {
  type: string;
  bytes: number;
}

/** State of the parser. */
interface Progress {
  chunks: number;
  palette: boolean;
  dataBytes: number;
  /** Whether another chunk followed the image data. */
  dataEnded: boolean;
  /** Whether viewers exchange width and height; undefined until there are Exif data. */
  sideways: boolean | undefined;
}

/** Reads a PNG, still or animated (treated as its first picture). */
export function* readPng(limits: InspectionLimits): Parser<ContentFacts> {
  yield skip(8);
  const header = yield* readHeader();
  checkPixels("picture", header, limits);
  const progress: Progress = { chunks: 1, palette: false, dataBytes: 0, dataEnded: false, sideways: undefined };
  let chunk = yield* readChunkStart();
  while (chunk.type !== "IEND") {
    checkOrder(chunk, header, progress);
    // Decoders read Exif data only in front of the picture.
    if (chunk.type === "eXIf" && progress.dataBytes === 0) {
      progress.sideways ??= isSideways(yield peek(Math.min(chunk.bytes, TAKE_MAX)));
    }
    yield* readChunkBody(chunk);
    chunk = yield* readChunkStart();
  }
  yield* readChunkBody(chunk);
  checkData(header, progress);
  const { width, height } = turned(header, progress.sideways === true);
  return { format: "png", width, height, hasSound: false, hasPictures: true };
}

function* readHeader(): Parser<Header> {
  const start = yield* readChunkStart();
  if (start.type !== "IHDR" || start.bytes !== 13) throw damaged("png", "it does not begin with its header");
  const bytes = yield take(17);
  if (uint32(bytes, 13) !== crc32(bytes.subarray(0, 13), crc32("IHDR"))) {
    throw damaged("png", "the checksum of its header is wrong");
  }
  const [width, height] = [uint32(bytes, 0), uint32(bytes, 4)];
  const [depth, color, compression, filter, interlace] = bytes.subarray(8, 13) as unknown as number[];
  const kind = COLORS.get(color!);
  if (!kind?.depths.includes(depth!)) {
    throw damaged("png", `color type ${color!} with ${depth!} bits does not exist`);
  }
  if (compression !== 0 || filter !== 0 || interlace! > ADAM7) throw damaged("png", "its header has unknown methods");
  if (width > CHUNK_BYTES_MAX || height > CHUNK_BYTES_MAX) throw damaged("png", "its width or height is impossible");
  return { width, height, color: color!, rawBytes: height * Math.ceil((width * kind.channels * depth!) / 8) };
}

function* readChunkStart(): Parser<Chunk> {
  const bytes = yield take(8);
  const chunk = { bytes: uint32(bytes, 0), type: latin(bytes, 4, 8) };
  if (!/^[A-Za-z]{4}$/.test(chunk.type)) throw damaged("png", "a chunk has no proper name");
  if (chunk.bytes > CHUNK_BYTES_MAX)
    throw damaged("png", `its chunk ${chunk.type} says that it has ${chunk.bytes} bytes`);
  return chunk;
}

/**
 * The checksums of critical chunks, whose names begin with a capital, are verified; decoders seldom refuse damage in
 * the others.
 */
function* readChunkBody({ type, bytes }: Chunk): Parser<void> {
  if (!/^[A-Z]/.test(type)) {
    yield skip(bytes + 4);
    return;
  }
  let checksum = crc32(type);
  let left = bytes;
  if (left > 0) {
    yield scan((piece) => {
      const part = piece.length > left ? piece.subarray(0, left) : piece;
      checksum = crc32(part, checksum);
      left -= part.length;
      return part.length;
    }, bytes);
  }
  const written = uint32(yield take(4), 0);
  if (left > 0 || written !== checksum) throw damaged("png", `the checksum of its chunk ${type} is wrong`);
}

function checkOrder({ type, bytes }: Chunk, { color }: Header, progress: Progress): void {
  progress.chunks += 1;
  if (progress.chunks > CHUNKS_MAX) throw damaged("png", `it has more than ${CHUNKS_MAX} chunks`);
  if (type === "IDAT") {
    if (progress.dataEnded) throw damaged("png", "its data is interrupted by other chunks");
    if (color === 3 && !progress.palette) throw damaged("png", "its palette is missing");
    progress.dataBytes += bytes;
    return;
  }
  if (progress.dataBytes > 0) progress.dataEnded = true;
  if (type === "PLTE") checkPalette(bytes, color, progress);
  else if (/^[A-Z]/.test(type)) throw damaged("png", `it has an unexpected chunk ${type}`);
}

/** Only pictures of indexed colors need a palette; decoders ignore that of others. */
function checkPalette(bytes: number, color: number, progress: Progress): void {
  const indexed = color === 3;
  if (indexed && (progress.palette || progress.dataEnded)) throw damaged("png", "it has a palette in a wrong place");
  if (bytes === 0 || (indexed && (bytes > 768 || bytes % 3 !== 0))) {
    throw damaged("png", "its palette has a wrong length");
  }
  progress.palette = true;
}

function checkData({ width, height, rawBytes }: Header, { dataBytes }: Progress): void {
  if (dataBytes === 0) throw damaged("png", "it has no data of a picture");
  if (rawBytes > (dataBytes + 1) * INFLATION_MAX) {
    throw damaged(
      "png",
      `it says that it is ${width} × ${height} pixels large, but its ${dataBytes} bytes cannot hold that`,
    );
  }
}
