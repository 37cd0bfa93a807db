import { loadSharp } from "../sharp.js";
import { checkPixels, type ContentFacts, damaged, type InspectionLimits } from "./facts.js";

/** Bytes after which the header is looked for, again and again: it follows metadata that may have thumbnails. */
const ATTEMPTS = [16, 18, 20, 22, 24].map((power) => 2 ** power);

/** Reads the header of a PNG or JPG as its decoder does, of as few of its first bytes as have it. */
export class PictureReader {
  private pieces: Uint8Array[] = [];
  private bytes = 0;
  private attempts = 0;
  private facts: ContentFacts | undefined;

  constructor(
    private readonly format: "png" | "jpg",
    private readonly limits: InspectionLimits,
  ) {}

  /** The bytes are not retained after the call. Throws UnacceptableFileError. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.facts !== undefined) return;
    this.pieces.push(Uint8Array.from(chunk));
    this.bytes += chunk.length;
    if (this.bytes < ATTEMPTS[this.attempts]!) return;
    while (this.bytes >= (ATTEMPTS[this.attempts] ?? Infinity)) this.attempts += 1;
    this.facts = await this.look();
    if (this.attempts === ATTEMPTS.length && this.facts === undefined) throw this.headless();
  }

  /** Throws UnacceptableFileError if the file has no header. */
  async end(): Promise<ContentFacts> {
    this.facts ??= await this.look();
    if (this.facts === undefined) throw this.headless();
    return this.facts;
  }

  private async look(): Promise<ContentFacts | undefined> {
    const head = Buffer.concat(this.pieces);
    this.pieces = [head];
    const size = await sizeOf(head);
    if (size === undefined) return undefined;
    this.pieces = [];
    checkPixels("picture", size, this.limits);
    return { format: this.format, ...size, hasSound: false, hasPictures: true };
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
