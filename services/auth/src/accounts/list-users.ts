import type { Account, Accounts } from "./accounts.js";

/** All users with their companies, by id. */
export function createListUsers({ users, companies }: Accounts): () => Promise<Account[]> {
  return async () => {
    const byId = new Map((await companies.find({})).map((company) => [company.id, company]));
    return (await users.find({})).flatMap((user) => {
      const company = byId.get(user.company_id);
      return company === undefined ? [] : [{ user, company }];
    });
  };
}
