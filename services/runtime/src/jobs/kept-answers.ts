import { createHash } from "node:crypto";
import { type CollectionDeclaration, ofCompany } from "../store/declaration.js";
import { type Collection, insertStep, type Json, type Step, type Store } from "../store/store.js";
import {
  findByIdempotency,
  IDEMPOTENCY_TTL_MS,
  idempotencyOf,
  type Keyed,
  keyReused,
  winnerOf,
} from "./idempotency.js";

/** What a creation with a key has answered, of records that cannot tell it again. Holds no secret. */
export interface KeptAnswer extends Keyed {
  companyId: number;
  requestHash: string;
  answer: Json;
}

/** A collection of answers of one kind, which is the name of the counter of their ids as well. */
export function answersOf(name: string): CollectionDeclaration<KeptAnswer> {
  return {
    name,
    indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["createdAt"] }],
    belongs: [ofCompany("companyId")],
  };
}

/** A creation that may be repeated. */
export interface RepeatableRequest {
  companyId: number;
  /** Empty: none. */
  key: string;
  /** What makes it another request. */
  request: Json;
}

/** A new record, not stored yet: what is answered, and what stores it. */
export interface Made<A> {
  answer: A;
  steps: readonly Step[];
}

interface KeptAnswersOptions {
  store: Pick<Store, "collection" | "commit" | "nextId">;
  kind: CollectionDeclaration<KeptAnswer>;
  now: () => number;
}

/**
 * The answers to creations with an idempotency key. An answer is stored by the commit that stores what it tells of, so that a
 * crash leaves both or none, and stays until its key may be used again, also if the record is deleted before.
 */
export class KeptAnswers<A> {
  private constructor(
    private readonly options: KeptAnswersOptions,
    private readonly collection: Collection<KeptAnswer>,
  ) {}

  static async open<A>(options: KeptAnswersOptions): Promise<KeptAnswers<A>> {
    return new KeptAnswers<A>(options, await options.store.collection(options.kind));
  }

  /**
   * Makes and stores a record, unless an earlier request with the same key has. AppError `invalid` if that was another
   * request, and `conflict` if something else is taken.
   */
  async once(wanted: RepeatableRequest, make: () => Promise<Made<A>>): Promise<{ answer: A; replayed: boolean }> {
    const { store, kind, now } = this.options;
    const { companyId, key, request } = wanted;
    const idempotency = idempotencyOf(companyId, key);
    if (idempotency === undefined) {
      const { answer, steps } = await make();
      if (steps.length > 0) await store.commit(steps);
      return { answer, replayed: false };
    }
    const requestHash = createHash("sha256").update(JSON.stringify(request)).digest("base64url");
    const findEarlier = () => this.find(idempotency, requestHash);
    const earlier = await findEarlier();
    if (earlier !== undefined) return { answer: earlier.answer as A, replayed: true };
    await this.eraseExpired();
    const { answer, steps } = await make();
    const id = await store.nextId(kind.name);
    const kept = { id, companyId, createdAt: now(), idempotency, requestHash, answer: answer as Json };
    try {
      await store.commit([insertStep(this.collection, kept), ...steps]);
    } catch (error) {
      return { answer: (await winnerOf(error, findEarlier)).answer as A, replayed: true };
    }
    return { answer, replayed: false };
  }

  /** Erases the answers whose keys may be used again. */
  async eraseExpired(): Promise<void> {
    await this.collection.delete({ createdAt: { lte: this.options.now() - IDEMPOTENCY_TTL_MS } });
  }

  private async find(idempotency: string, requestHash: string): Promise<KeptAnswer | undefined> {
    const found = await findByIdempotency(this.collection, idempotency, this.options.now());
    if (found !== undefined && found.requestHash !== requestHash) throw keyReused("idempotency_key");
    return found;
  }
}
