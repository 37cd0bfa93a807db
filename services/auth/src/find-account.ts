import { AppError } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import type { CompanyRecord } from "./company.js";
import { storedName } from "./names.js";

/** The company of that name; AppError `not-found` without one. */
export async function findCompany({ companies }: Accounts, name: string): Promise<CompanyRecord> {
  const stored = storedName("company", name);
  const [company] = await companies.find({ name: stored }, { limit: 1 });
  if (company === undefined)
    throw new AppError("not-found", `There is no company named "${stored}". The command company list shows them all.`);
  return company;
}

/** What a command about an unknown user answers. */
export function noSuchUser(email: string): AppError {
  return new AppError("not-found", `There is no user with the e-mail ${email}. The command user list shows them all.`);
}
