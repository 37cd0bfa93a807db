import { AppError, type Store } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { COMPANY_COUNTER, type CompanyRecord } from "./company.js";
import { storedName } from "./names.js";

export interface NewCompany {
  name: string;
  /** Uids of the products that are active from the start. */
  products: readonly string[];
}

/** Creates a company; AppError `conflict` if the name is taken. */
export function createCreateCompany(
  store: Store,
  { companies }: Accounts,
  now: () => number,
): (company: NewCompany) => Promise<CompanyRecord> {
  return async ({ name, products }) => {
    const stored = storedName("name", name);
    if (stored === "")
      throw AppError.invalid([{ field: "name", message: "Give a name that is more than white space." }]);
    const company: CompanyRecord = {
      id: await store.nextId(COMPANY_COUNTER),
      name: stored,
      api_active: products.includes("api"),
      insight_active: products.includes("insight"),
      created_at: new Date(now()).toISOString(),
    };
    try {
      await companies.insert(company);
    } catch (error) {
      throw namesTaken(error, `A company named "${stored}" exists already. Choose another name.`);
    }
    return company;
  };
}

/** Replaces the message of a store conflict by one for the caller. */
export function namesTaken(error: unknown, message: string): unknown {
  if (!(error instanceof AppError) || error.kind !== "conflict") return error;
  return new AppError("conflict", message, { code: "already_exists", cause: error });
}
