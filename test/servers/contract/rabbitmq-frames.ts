import { Transform, type TransformCallback } from "node:stream";

/** A frame of a broker other than contents and heartbeats. */
export interface MethodFrame {
  channel: number;
  /** Class and method, for example `60.30`: basic.cancel. */
  method: string;
}

const METHOD = 1;
/** Type (1 byte), channel (2) and size of the payload (4); the payload is followed by a byte that ends the frame. */
const HEAD_BYTES = 7;
const END_BYTES = 1;

/** Forwards the frames of AMQP 0-9-1, except the methods for which `passes` is false. */
export class FrameSieve extends Transform {
  private pending = Buffer.alloc(0);

  constructor(private readonly passes: (frame: MethodFrame) => boolean) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.pending = Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= HEAD_BYTES) {
      const size = HEAD_BYTES + this.pending.readUInt32BE(3) + END_BYTES;
      if (this.pending.length < size) break;
      const frame = this.pending.subarray(0, size);
      this.pending = this.pending.subarray(size);
      if (this.isWanted(frame)) this.push(frame);
    }
    done();
  }

  private isWanted(frame: Buffer): boolean {
    if (frame.readUInt8(0) !== METHOD) return true;
    const method = `${frame.readUInt16BE(HEAD_BYTES)}.${frame.readUInt16BE(HEAD_BYTES + 2)}`;
    return this.passes({ channel: frame.readUInt16BE(1), method });
  }
}
