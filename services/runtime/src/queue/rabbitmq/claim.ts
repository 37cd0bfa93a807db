import type { Channel, ConsumeMessage } from "amqplib";
import { readEnvelope, redeliveries, type Envelope } from "./envelope.js";

type State = "handling" | "ending" | "over";

/** A message that was delivered here and not ended yet. It can be ended only on the channel it came by. */
export class Claim {
  readonly body: Uint8Array;
  readonly envelope: Envelope;
  /** 1 on first delivery. */
  readonly attempt: number;
  private readonly stop = new AbortController();
  private readonly release = new AbortController();
  private state: State = "handling";

  constructor(
    readonly channel: Channel,
    private readonly message: ConsumeMessage,
  ) {
    const { buffer, byteOffset, byteLength } = message.content;
    this.body = new Uint8Array(buffer, byteOffset, byteLength);
    this.envelope = readEnvelope(message);
    this.attempt = this.envelope.attempts + redeliveries(message) + 1;
  }

  /** What the handler sees. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted once nothing is left to end. */
  get over(): AbortSignal {
    return this.release.signal;
  }

  /** Tells the handler to come to an end. */
  abort(reason: string): void {
    this.stop.abort(new Error(reason));
  }

  /** True for the one who may end it; false when it is ending, has ended, or is lost. */
  beginEnding(): boolean {
    if (this.state !== "handling") return false;
    this.state = "ending";
    return true;
  }

  /** Removes the message from the broker. Sent on a channel that is gone it is dropped: the message comes again. */
  acknowledge(): void {
    if (this.state === "over") return;
    this.finish();
    try {
      this.channel.ack(this.message);
    } catch {
      // The channel closed this very moment.
    }
  }

  /** The channel is gone: the broker delivers the message again, maybe to somebody else. */
  lose(reason: string): void {
    if (this.state === "over") return;
    this.finish();
    this.abort(reason);
  }

  private finish(): void {
    this.state = "over";
    this.release.abort();
  }
}
