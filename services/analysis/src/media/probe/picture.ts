import { loadSharp } from "../sharp.js";
import { checkPixels, type ContentFacts, damaged, type InspectionLimits } from "./facts.js";
import { PictureHead } from "./picture-head.js";

/** Bytes without metadata after which the header is looked for, again and again. */
const ATTEMPTS = [2 ** 12, 2 ** 14, 2 ** 16, 2 ** 18];

/** Reads the header of a PNG or JPG as its decoder does, of as few of its first bytes as have it. */
export class PictureReader {
  private head: PictureHead | undefined;
  private attempts = 0;
  private facts: ContentFacts | undefined;

  constructor(
    private readonly format: "png" | "jpg",
    private readonly limits: InspectionLimits,
  ) {
    this.head = new PictureHead(format, ATTEMPTS.at(-1)!);
  }

  /** The bytes are not retained after the call. Throws UnacceptableFileError. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.head === undefined) return;
    this.head.write(chunk);
    const { start } = this.head;
    if (start.length < ATTEMPTS[this.attempts]!) return;
    while (start.length >= (ATTEMPTS[this.attempts] ?? Infinity)) this.attempts += 1;
    await this.look(start);
    if (this.attempts === ATTEMPTS.length && this.facts === undefined) throw this.headless();
  }

  /** Throws UnacceptableFileError if the file has no header. */
  async end(): Promise<ContentFacts> {
    if (this.head !== undefined) {
      this.head.end();
      await this.look(this.head.start);
    }
    if (this.facts === undefined) throw this.headless();
    return this.facts;
  }

  private async look(start: Uint8Array): Promise<void> {
    const size = await sizeOf(start);
    if (size === undefined) return;
    this.head = undefined;
    checkPixels("picture", size, this.limits);
    this.facts = { format: this.format, ...size, hasSound: false, hasPictures: true };
  }

  private headless(): Error {
    return damaged(this.format, "its header cannot be read");
  }
}

/** The size as shown; undefined if the decoder cannot tell from these bytes. */
async function sizeOf(head: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  const sharp = await loadSharp();
  try {
    const picture = sharp(head, { limitInputPixels: false, failOn: "none", sequentialRead: true });
    const { width, height } = (await picture.metadata()).autoOrient;
    return { width, height };
  } catch {
    return undefined;
  }
}
