import type { DescMethod } from "@bufbuild/protobuf";
import type { IncomingCall } from "../../dispatch.js";

/** Accounts for the memory that the messages of one call occupy; its largest message counts. */
export interface MessageHold {
  /**
   * Reads the request, whose size is unknown until it has arrived in full. Fails like `read`, or with AppError if there
   * is no memory for it.
   */
  receive(read: () => Promise<Buffer>): Promise<Buffer>;
  /** Accounts for a streamed request. Throws AppError if it is too large or there is no memory for it. */
  accept(bytes: number): void;
  /** Accounts for a decoded request or a response. Throws AppError if there is no memory for it. */
  carry(bytes: number): void;
  /** Releases everything; called when the call has ended and its response has left. */
  release(): void;
}

/** Begins to account for a call. Its `principal` is known when its first message is read. */
export type HoldMessages = (call: IncomingCall, method: DescMethod) => MessageHold;

/** Accounts for nothing: for ports that only other parts of the product reach. */
export const holdNothing: HoldMessages = () => ({
  receive: (read) => read(),
  accept: () => undefined,
  carry: () => undefined,
  release: () => undefined,
});
