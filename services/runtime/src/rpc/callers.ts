import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { callers, Callers } from "@hourglass/proto/options/v1/callers";
import { SERVICE_TOKENS } from "../auth/token-kinds.js";
import { looksLike } from "../auth/token-verifier.js";

/** Caches the option, because each access decodes it and every call needs it. */
const known = new WeakMap<DescMethod, Callers>();

/** The kind of token that the method's option in proto/ requires; users' tokens if the option is not set. */
export function callersOf(method: DescMethod, token: string): "users" | "services" {
  let allowed = known.get(method);
  if (allowed === undefined) {
    allowed = getOption(method, callers);
    known.set(method, allowed);
  }
  switch (allowed) {
    case Callers.SERVICES:
      return "services";
    case Callers.USERS_AND_SERVICES:
      return looksLike(token, SERVICE_TOKENS) ? "services" : "users";
    default:
      return "users";
  }
}
