import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { gifOfNoise, inspected } from "../testing/odd-files.js";

/** A frame of one pixel without a local color table; `delay` in hundredths of a second. */
function frame(delay: number, size = { width: 1, height: 1 }): Buffer {
  const bytes = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 1, 0]);
  bytes.writeUInt16LE(delay, 4);
  bytes.writeUInt16LE(size.width, 13);
  bytes.writeUInt16LE(size.height, 15);
  return bytes;
}

/** A GIF of these blocks. */
function gif(size: { width: number; height: number }, ...blocks: Uint8Array[]): Buffer {
  const head = Buffer.from([...Buffer.from("GIF89a"), 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  head.writeUInt16LE(size.width, 6);
  head.writeUInt16LE(size.height, 8);
  return Buffer.concat([head, ...blocks, Buffer.from([0x3b])]);
}

const ONE = { width: 1, height: 1 };
let animation: Buffer;

beforeAll(async () => {
  const pages = Buffer.concat([
    Buffer.alloc(20 * 10 * 3, 10),
    Buffer.alloc(20 * 10 * 3, 200),
    Buffer.alloc(20 * 10 * 3, 90),
  ]);
  const raw = { width: 20, height: 30, channels: 3 as const, pageHeight: 10 };
  animation = await sharp(pages, { raw })
    .gif({ delay: [120, 250, 400] })
    .toBuffer();
});

describe("GIF files", () => {
  it("are read with their duration when they move", async () => {
    expect(await inspected(animation)).toEqual({
      format: "gif",
      width: 20,
      height: 10,
      durationMs: 770,
      hasSound: false,
      hasPictures: true,
      sizeBytes: animation.length,
    });
  });

  it("last 0 ms with one frame", async () => {
    expect(await inspected(gif(ONE, frame(50)))).toMatchObject({ durationMs: 0, width: 1, height: 1 });
  });

  it("show hasty frames as long as browsers do", async () => {
    expect(await inspected(gif(ONE, frame(0), frame(1), frame(2)))).toMatchObject({ durationMs: 220 });
  });

  it("are as large as their largest frame", async () => {
    expect(await inspected(gif(ONE, frame(5), frame(5, { width: 3, height: 2 })))).toMatchObject({
      width: 3,
      height: 2,
    });
  });

  it("are refused when canvas, frames or duration are too large", async () => {
    await expect(inspected(gif({ width: 8000, height: 8000 }, frame(5)))).rejects.toThrow(/64 megapixels/);
    await expect(inspected(gif(ONE, frame(5, { width: 8000, height: 8000 })))).rejects.toThrow(/64 megapixels/);
    const bomb = gif({ width: 6000, height: 6000 }, ...Array<Buffer>(40).fill(frame(5)));
    await expect(inspected(bomb)).rejects.toThrow(
      "The frames of the animation have more than 1000 megapixels together",
    );
    await expect(inspected(gif(ONE, ...Array<Buffer>(10_001).fill(frame(2))))).rejects.toThrow(
      /more than 10000 frames/,
    );
    await expect(inspected(gif(ONE, ...Array<Buffer>(3).fill(frame(60_000))))).rejects.toThrow(
      "The animation lasts longer than 15 minutes",
    );
  });

  it("must consist of known blocks, with a picture", async () => {
    await expect(inspected(gif(ONE))).rejects.toThrow(/has no picture/);
    await expect(inspected(gif(ONE, Buffer.from([7]), frame(5)))).rejects.toThrow(/unknown kind 7/);
    await expect(inspected(gif(ONE, frame(5).fill(0, 19)))).rejects.toThrow(/a frame has no data/);
    await expect(inspected(gif({ width: 0, height: 1 }, frame(5)))).rejects.toThrow(/has no pixels/);
  });

  it("may have anything after their end", async () => {
    const behind = [Buffer.from("=1;alert(1)//"), Buffer.alloc(5000)];
    for (const more of behind)
      expect(await inspected(Buffer.concat([animation, more]))).toMatchObject({ durationMs: 770 });
  });

  it("are refused when a script makes up their size", async () => {
    await expect(inspected(Buffer.from("GIF89a/*....*/=1;alert(1);", "latin1"))).rejects.toThrow(
      /megapixels|damaged|ends too early/,
    );
  });

  it("with noise for data have right headers, so that only a decoder can tell", async () => {
    const noisy = gifOfNoise(animation);
    expect(noisy.equals(animation)).toBe(false);
    expect(await inspected(noisy)).toEqual(await inspected(animation));
  });
});
