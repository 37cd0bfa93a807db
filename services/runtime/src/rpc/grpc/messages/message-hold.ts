import type { IncomingCall } from "../../dispatch.js";

/** Accounts for the memory that the messages of one call occupy; its largest message counts. */
export interface MessageHold {
  /**
   * Reads the request, whose size is unknown until it has arrived in full. Fails like `read`, or with AppError if there
   * is no memory for it.
   */
  receive(read: () => Promise<Buffer>): Promise<Buffer>;
  /** Accounts for a streamed message or a response. Throws AppError if there is no memory for it. */
  carry(bytes: number): void;
  /** Releases everything; called when the call has ended and its response has left. */
  release(): void;
}

/** Begins to account for a call. Its `principal` is known when its first message is read. */
export type HoldMessages = (call: IncomingCall) => MessageHold;

/** Accounts for nothing: for ports that only other parts of the product reach. */
export const holdNothing: HoldMessages = () => ({
  receive: (read) => read(),
  carry: () => undefined,
  release: () => undefined,
});
