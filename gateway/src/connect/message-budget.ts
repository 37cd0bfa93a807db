import { AppError, type HoldMessages, type IncomingCall, type MessageHold } from "@hourglass/runtime";
import { OverQuota, ServerBusy } from "../http/errors.js";
import type { Budget, Holder } from "../http/limits/budget.js";
import { SMALL_BYTES, tooLarge } from "../http/body/request-body.js";
import { messageBytesMaxOf } from "./request.js";

/** A request that takes longer to arrive is large or its connection slow, and is accounted for; in milliseconds. */
const UNDERWAY_MS = 1000;

export interface MessageBudgetOptions {
  readonly budget: Budget;
  /** Maximum size of a message. */
  readonly bodyBytesMax: number;
  /** Called for every message that is refused because of overload, with the code of the response. */
  readonly onShed: (code: string) => void;
}

/**
 * Accounts for the messages of the gRPC port in the budget of the gateway. grpc-js tells the size of a message only when
 * it is complete. One that takes longer than a second to arrive counts until then as the largest one that its method takes.
 */
export function holdInBudget(options: MessageBudgetOptions): HoldMessages {
  return (call, method) => new CallHold(call, messageBytesMaxOf(method, options.bodyBytesMax), options);
}

class CallHold implements Holder, MessageHold {
  heldBytes = 0;
  isOver = false;

  constructor(
    private readonly call: IncomingCall,
    /** Of a request. */
    private readonly bytesMax: number,
    private readonly options: MessageBudgetOptions,
  ) {}

  get userId(): number | undefined {
    const { principal } = this.call;
    return principal !== undefined && "userId" in principal ? principal.userId : undefined;
  }

  async receive(read: () => Promise<Buffer>): Promise<Buffer> {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const underway = setTimeout(() => {
        try {
          this.carry(this.bytesMax);
        } catch (error) {
          reject(AppError.from(error));
        }
      }, UNDERWAY_MS);
      this.stopWaiting = () => clearTimeout(underway);
      read().then(resolve, reject).finally(this.stopWaiting);
    });
    this.options.budget.release(this);
    this.accept(bytes.length);
    return bytes;
  }

  accept(bytes: number): void {
    if (bytes > this.bytesMax) throw tooLarge(this.bytesMax);
    this.carry(bytes);
  }

  carry(bytes: number): void {
    const missing = bytes - this.heldBytes;
    if (bytes <= SMALL_BYTES || missing <= 0) return;
    try {
      this.options.budget.take(this, missing);
    } catch (error) {
      if (error instanceof OverQuota || error instanceof ServerBusy) this.options.onShed(error.code);
      throw error;
    }
  }

  release(): void {
    this.isOver = true;
    this.stopWaiting();
    this.options.budget.release(this);
  }

  private stopWaiting: () => void = () => undefined;
}
