import type { Channel, ConsumeMessage } from "amqplib";
import { readEnvelope, redeliveries, type Envelope } from "./envelope.js";

type State = "handling" | "ending" | "over";

/** A message that was delivered here and has not ended. It can be ended only on the channel of its delivery. */
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

  /** The signal passed to the handler. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted once the message has ended or is lost. */
  get over(): AbortSignal {
    return this.release.signal;
  }

  /** Aborts the handler's signal. */
  abort(reason: string): void {
    this.stop.abort(new Error(reason));
  }

  /** True if the caller may end the message; false if it is ending, has ended, or is lost. */
  beginEnding(): boolean {
    if (this.state !== "handling") return false;
    this.state = "ending";
    return true;
  }

  /** Removes the message from the broker. On a closed channel this has no effect, and the message is redelivered. */
  acknowledge(): void {
    if (this.state === "over") return;
    this.finish();
    try {
      this.channel.ack(this.message);
    } catch {
      // The channel has just closed.
    }
  }

  /** The channel is gone: the broker delivers the message again, possibly to another consumer. */
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
