import { randomBytes } from "node:crypto";
import {
  ofCompany,
  type Collection,
  type CollectionDeclaration,
  type Store,
  type UserSession,
} from "@hourglass/runtime";
import type { UserRecord } from "./accounts.js";

/** A session that its user has ended before its time. */
interface EndedSession {
  id: string;
  company_id: number;
  /** When no token of it can be valid any more, in seconds since 1970. */
  until: number;
}

export const ENDED_SESSIONS: CollectionDeclaration<EndedSession> = {
  name: "ended_sessions",
  indexes: [{ fields: ["company_id"] }, { fields: ["until"] }],
  belongs: [ofCompany("company_id")],
};

/** A session that begins now, in seconds since 1970. */
export function newSession(now: number): UserSession {
  return { id: randomBytes(16).toString("base64url"), signedInAt: now };
}

/** The sessions that were ended by signing out. */
export class EndedSessions {
  private constructor(private readonly ended: Collection<EndedSession>) {}

  static async open(store: Store): Promise<EndedSessions> {
    return new EndedSessions(await store.collection(ENDED_SESSIONS));
  }

  /** Ends a session; `until` is when no token of it can be valid any more, in seconds since 1970. */
  async end({ id }: UserSession, { company_id }: UserRecord, until: number): Promise<void> {
    await this.ended.put({ id, company_id, until });
  }

  async has({ id }: UserSession): Promise<boolean> {
    return (await this.ended.get(id)) !== undefined;
  }

  /** Forgets the sessions whose tokens have all expired by then, in seconds since 1970. */
  async forgetBefore(now: number): Promise<void> {
    await this.ended.delete({ until: { lt: now } });
  }
}
