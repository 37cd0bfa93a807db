import { type Operation, OperationStatus } from "@hourglass/proto/operation/v1/operation";
import type { KnownOperation } from "@hourglass/proto/operation/v1/operation_service";
import { AppError } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { BodiesByKey, KeptBodies, KeptBody } from "../http/kept-bodies.js";
import type { Reply } from "../http/reply.js";
import { etagOf } from "../http/response/revalidate.js";
import type { Call } from "../http/routing/call.js";

interface DoneOperation extends KeptBody {
  readonly companyId: number;
  readonly known: KnownOperation;
  readonly reply: Reply;
}

/** As many as the service checks in one call. */
const CHECKED_MAX = 1000;

/**
 * The bodies of operations that are done, which change no more: a reader gets the kept one after the service has said, for
 * each read, that its operation is still there.
 */
export class DoneOperations {
  private readonly kept: BodiesByKey<bigint, DoneOperation>;
  /** The calls of each token that have come in this turn of the event loop, and are checked at its end. */
  private readonly checks = new Map<string, Check>();

  constructor(
    private readonly service: Pick<Clients["operation"], "checkOperations">,
    kept: KeptBodies,
  ) {
    this.kept = kept.kind();
  }

  /** The response with an operation if its body is kept, and it is still there. */
  async find(call: Call, id: bigint): Promise<Reply | undefined> {
    const kept = this.kept.get(id);
    if (kept === undefined || kept.companyId !== call.principal?.companyId) return undefined;
    if ((await this.unchanged(call, kept.known)).has(id)) return kept.reply;
    this.kept.delete(id, kept);
    return undefined;
  }

  /** Keeps the body of an operation if it is done; `call` has just read it. */
  keep({ principal }: Call, { id, status, finishedAt }: Operation, text: string): void {
    if (principal === undefined || status !== OperationStatus.DONE || finishedAt === undefined) return;
    const body = Buffer.from(text);
    this.kept.set(id, {
      companyId: principal.companyId,
      known: { $typeName: "hourglass.operation.v1.KnownOperation", id, finishedAt },
      body,
      reply: { status: 200, body, etag: etagOf(body) },
    });
  }

  /** Asks once for all calls with a token that come in one turn; a call that is traced asks for itself. */
  private unchanged(call: Call, known: KnownOperation): Promise<ReadonlySet<bigint>> {
    if (call.exchange.span !== undefined) return this.ask(call, [known]);
    const { token = "" } = call.options();
    const check = this.checks.get(token) ?? this.begin(token, call);
    check.known.set(known.id, known);
    if (check.known.size === CHECKED_MAX) this.checks.delete(token);
    return check.unchanged;
  }

  private begin(token: string, call: Call): Check {
    const known = new Map<bigint, KnownOperation>();
    const unchanged = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.checks.get(token) === check) this.checks.delete(token);
      return this.ask(call, [...known.values()]);
    });
    const check: Check = { known, unchanged };
    this.checks.set(token, check);
    return check;
  }

  private async ask(call: Call, operations: KnownOperation[]): Promise<ReadonlySet<bigint>> {
    try {
      return new Set((await this.service.checkOperations({ operations }, call.options())).unchangedIds);
    } catch (error) {
      // A service of an older release: everything is read.
      if (error instanceof AppError && error.kind === "unimplemented") return new Set();
      throw error;
    }
  }
}

interface Check {
  readonly known: Map<bigint, KnownOperation>;
  readonly unchanged: Promise<ReadonlySet<bigint>>;
}
