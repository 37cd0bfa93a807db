import type { BodiesByKey, KeptBodies, KeptBody } from "../http/kept-bodies.js";
import type { Reply } from "../http/reply.js";
import { etagOf } from "../http/response/revalidate.js";
import type { Call } from "../http/routing/call.js";

/** An answer of a service that can tell whether it is still the same. */
interface Revised {
  readonly revision: string;
  /** The answer of the revision that was named is still the same, and is not repeated. */
  readonly unchanged: boolean;
}

interface KeptAnswer extends KeptBody {
  readonly revision: string;
  readonly reply: Reply;
}

/** Longer requests are rare, and kept nowhere. */
const URL_LENGTH_MAX = 512;

/**
 * The bodies of answers that services give a revision: who asks the same again gets the kept one after the service has
 * said, for each request, that nothing has changed.
 */
export class KeptAnswers {
  private readonly kept: BodiesByKey<string, KeptAnswer>;

  constructor(kept: KeptBodies) {
    this.kept = kept.kind();
  }

  /** Answers a request: `ask` calls the service with the revision that is kept, if any, and `render` makes the body. */
  async reply<R extends Revised>(
    { exchange: { req }, principal }: Call,
    ask: (knownRevision: string) => Promise<R>,
    render: (answer: R) => unknown,
  ): Promise<Reply> {
    // What a company may read is the same for all its users.
    const key = `${principal?.companyId ?? ""} ${req.url ?? ""}`;
    const kept = this.kept.get(key);
    const answer = await ask(kept?.revision ?? "");
    if (kept !== undefined && answer.unchanged) return kept.reply;
    const body = Buffer.from(JSON.stringify(render(answer)));
    const reply = { status: 200, body, etag: etagOf(body) };
    if (answer.revision !== "" && key.length <= URL_LENGTH_MAX) {
      this.kept.set(key, { revision: answer.revision, body, reply });
    }
    return reply;
  }
}
