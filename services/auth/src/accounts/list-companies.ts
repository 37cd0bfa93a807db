import type { Accounts } from "./accounts.js";
import type { CompanyRecord } from "./company.js";

/** All companies, by id. */
export function createListCompanies({ companies }: Accounts): () => Promise<CompanyRecord[]> {
  return () => companies.find({});
}
