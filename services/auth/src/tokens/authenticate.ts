import { unauthenticated, type Authenticate, type TokenVerifier, type UserClaims } from "@hourglass/runtime";
import { toPrincipal, type Accounts } from "../accounts/accounts.js";

/**
 * Checks a token against the records: the user exists, their sessions have not been ended, and products are current.
 */
export function createAuthenticate({ users, companies }: Accounts, verifier: TokenVerifier<UserClaims>): Authenticate {
  return async (token) => {
    const { userId, version } = await verifier.verify(token);
    const user = await users.get(userId);
    if (user?.token_version !== version) throw unauthenticated();
    const company = await companies.get(user.company_id);
    if (company === undefined || company.erasing === true) throw unauthenticated();
    return toPrincipal({ user, company });
  };
}
