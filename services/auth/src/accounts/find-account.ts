import { AppError } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import type { CompanyRecord } from "./company.js";
import { storedName } from "./names.js";

/** The company with that name; AppError `not-found` if there is none, `conflict` while it is being erased. */
export async function findCompany({ companies }: Accounts, name: string): Promise<CompanyRecord> {
  const stored = storedName("company", name);
  const [company] = await companies.find({ name: stored }, { limit: 1 });
  if (company === undefined)
    throw new AppError("not-found", `There is no company named "${stored}". The command company list shows them all.`);
  if (company.erasing === true) throw beingErased(stored);
  return company;
}

/** The error of a command on a company that is being erased. */
function beingErased(name: string): AppError {
  const remedy = "Run company delete again: it completes the erasure.";
  return new AppError("conflict", `The company "${name}" is being erased. ${remedy}`);
}

/** The error of a command on an unknown user. */
export function noSuchUser(email: string): AppError {
  return new AppError("not-found", `There is no user with the e-mail ${email}. The command user list shows them all.`);
}
