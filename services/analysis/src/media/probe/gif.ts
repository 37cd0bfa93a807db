import { type Parser, scan, skip, take, uint16le } from "./bytes.js";
import {
  checkAnimationPixels,
  checkDuration,
  checkPixels,
  type ContentFacts,
  damaged,
  type InspectionLimits,
} from "./facts.js";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

const FRAMES_MAX = 10_000;
/** Display time in browsers of frames with a delay of 0 or 1 hundredths of a second, in milliseconds. */
const HASTY_FRAME_MS = 100;

/** State of the parser. */
interface Animation {
  frames: number;
  /** Of all frames, each as large as the canvas. */
  pixels: number;
  durationMs: number;
  /** Of the next frame, in hundredths of a second. */
  delay: number;
  /** Grows if a frame extends beyond the header's size, which decoders accept. */
  width: number;
  height: number;
}

/** Reads a GIF 87a or 89a. */
export function* readGif(limits: InspectionLimits): Parser<ContentFacts> {
  yield skip(6);
  const screen = yield take(7);
  const [width, height, flags] = [uint16le(screen, 0), uint16le(screen, 2), screen[4]!];
  checkPixels("picture", { width, height }, limits);
  yield skip(colorTableBytes(flags));
  const animation: Animation = { frames: 0, pixels: 0, durationMs: 0, delay: 0, width, height };
  for (let block = yield* readByte(); block !== TRAILER; block = yield* readByte()) {
    if (block === EXTENSION) yield* readExtension(animation);
    else if (block === IMAGE) yield* readFrame(animation, limits);
    else throw damaged("gif", `a block of the unknown kind ${block} follows`);
  }
  if (animation.frames === 0) throw damaged("gif", "it has no picture");
  return {
    format: "gif",
    width: animation.width,
    height: animation.height,
    durationMs: animation.frames === 1 ? 0 : animation.durationMs,
    hasSound: false,
    hasPictures: true,
  };
}

function* readByte(): Parser<number> {
  return (yield take(1))[0]!;
}

/** Size by the flags of a screen or a frame. */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function* readExtension(animation: Animation): Parser<void> {
  if ((yield* readByte()) === GRAPHIC_CONTROL) {
    const control = yield take(5);
    if (control[0] !== 4) throw damaged("gif", "the timing of a frame has a wrong length");
    animation.delay = uint16le(control, 2);
  }
  yield* skipSubBlocks();
}

function* readFrame(animation: Animation, limits: InspectionLimits): Parser<void> {
  const frame = yield take(9);
  const [width, height] = [uint16le(frame, 4), uint16le(frame, 6)];
  if (width === 0 || height === 0) throw damaged("gif", "a frame has no pixels");
  animation.width = Math.max(animation.width, uint16le(frame, 0) + width);
  animation.height = Math.max(animation.height, uint16le(frame, 2) + height);
  checkPixels("picture", animation, limits);
  animation.frames += 1;
  if (animation.frames > FRAMES_MAX) throw damaged("gif", `it has more than ${FRAMES_MAX} frames`);
  animation.pixels += animation.width * animation.height;
  checkAnimationPixels(animation.pixels, limits);
  animation.durationMs += animation.delay < 2 ? HASTY_FRAME_MS : 10 * animation.delay;
  if (animation.frames > 1) checkDuration("animation", animation.durationMs, limits);
  animation.delay = 0;
  yield skip(colorTableBytes(frame[8]!));
  const codeBits = yield* readByte();
  if (codeBits < 1 || codeBits > 11) throw damaged("gif", "the data of a frame is in an unknown form");
  if ((yield* skipSubBlocks()) === 0) throw damaged("gif", "a frame has no data");
}

/** Skips a chain of blocks of at most 255 bytes, each preceded by its length; returns their total number of bytes. */
function* skipSubBlocks(): Parser<number> {
  /** `left`: remaining bytes of a block that continues in the next piece. */
  const chain = { bytes: 0, left: 0, ended: false };
  yield scan((piece) => {
    let at = Math.min(chain.left, piece.length);
    chain.left -= at;
    while (at < piece.length && !chain.ended) {
      const length = piece[at]!;
      chain.ended = length === 0;
      chain.bytes += length;
      const next = at + 1 + length;
      chain.left = Math.max(0, next - piece.length);
      at = Math.min(next, piece.length);
    }
    return at;
  });
  // Throws, because the file ends here.
  if (!chain.ended) yield skip(chain.left + 1);
  return chain.bytes;
}
