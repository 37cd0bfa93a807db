import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { callers, Callers } from "@hourglass/proto/options/v1/callers";
import { SERVICE_TOKENS } from "../auth/token-kinds.js";
import { looksLike } from "../auth/token-verifier.js";

/** Options are decoded at each reading, and every call asks. */
const known = new WeakMap<DescMethod, Callers>();

/** Whose token this has to be, as the method's option in proto/ says; of users where it has none. */
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
