import QuickLRU from "quick-lru";
import { AppError } from "../errors/app-error.js";
import type { Authenticate, Principal } from "../rpc/context.js";
import { PRINCIPAL_FRESH_MS } from "./principal-freshness.js";
import { unauthenticated } from "../tokens/token.js";

const ACCEPTED_MAX = 10_000;
const REFUSED_MAX = 1000;

interface Answer {
  askedAt: number;
  principal: Promise<Principal>;
}

/**
 * Caches answers of `authenticate` for one second from the time of the request; concurrent callers with the same token
 * share one request. Refusals are cached separately, so that floods of bad tokens cannot evict good ones.
 */
export function cachePrincipals(authenticate: Authenticate, now: () => number = Date.now): Authenticate {
  const accepted = new QuickLRU<string, Answer>({ maxSize: ACCEPTED_MAX });
  const refused = new QuickLRU<string, Answer>({ maxSize: REFUSED_MAX });
  const asked = new Map<string, Answer>();

  function fresh(answer: Answer | undefined): Answer | undefined {
    if (answer === undefined) return undefined;
    const age = now() - answer.askedAt; // negative after the clock was set back
    return age >= 0 && age < PRINCIPAL_FRESH_MS ? answer : undefined;
  }

  function ask(token: string): Promise<Principal> {
    const answer: Answer = { askedAt: now(), principal: authenticate(token) };
    asked.set(token, answer);
    const settle = (): void => {
      if (asked.get(token) === answer) asked.delete(token);
    };
    answer.principal.then(
      () => {
        settle();
        accepted.set(token, answer);
      },
      (error: unknown) => {
        settle();
        if (error instanceof AppError && error.kind === "unauthenticated") refused.set(token, answer);
      },
    );
    return answer.principal;
  }

  return (token) => {
    const answer = fresh(accepted.get(token)) ?? fresh(refused.get(token)) ?? fresh(asked.get(token));
    if (answer !== undefined) return answer.principal;
    return token === "" ? Promise.reject(unauthenticated()) : ask(token);
  };
}
