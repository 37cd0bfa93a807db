import { AppError, type HoldMessages, type IncomingCall, type MessageHold } from "@hourglass/runtime";
import { OverQuota, ServerBusy } from "../http/errors.js";
import type { Budget, Holder } from "../http/limits/budget.js";
import { SMALL_BYTES, tooLarge } from "../http/body/request-body.js";
import { OPEN_BYTES_MAX } from "./request.js";

/** A request that takes longer to arrive is large or its connection slow, and is accounted for; in milliseconds. */
const UNDERWAY_MS = 1000;

export interface MessageBudgetOptions {
  readonly budget: Budget;
  /** Maximum size of a message: what a request counts as while its size is unknown. */
  readonly messageBytesMax: number;
  /** Called for every message that is refused because of overload, with the code of the response. */
  readonly onShed: (code: string) => void;
}

/**
 * Accounts for the messages of the gRPC port in the budget of the gateway. grpc-js tells the size of a message only when
 * it is complete. One that takes longer than a second to arrive counts as the largest one allowed until then.
 */
export function holdInBudget(options: MessageBudgetOptions): HoldMessages {
  return (call) => new CallHold(call, options);
}

class CallHold implements Holder, MessageHold {
  heldBytes = 0;
  isOver = false;

  constructor(
    private readonly call: IncomingCall,
    private readonly options: MessageBudgetOptions,
  ) {}

  get userId(): number | undefined {
    const { principal } = this.call;
    return principal !== undefined && "userId" in principal ? principal.userId : undefined;
  }

  async receive(read: () => Promise<Buffer>): Promise<Buffer> {
    const { budget, messageBytesMax } = this.options;
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const underway = setTimeout(() => {
        try {
          this.carry(messageBytesMax);
        } catch (error) {
          reject(AppError.from(error));
        }
      }, UNDERWAY_MS);
      this.stopWaiting = () => clearTimeout(underway);
      read().then(resolve, reject).finally(this.stopWaiting);
    });
    budget.release(this);
    if (this.call.principal === undefined && bytes.length > OPEN_BYTES_MAX) throw tooLarge(OPEN_BYTES_MAX);
    this.carry(bytes.length);
    return bytes;
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
