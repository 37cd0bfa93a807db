import type { Collection, Principal } from "@hourglass/runtime";
import { productsOf, type CompanyRecord } from "./company.js";
import type { UserRecord } from "./user.js";

/** The records of Auth. */
export interface Accounts {
  users: Collection<UserRecord>;
  companies: Collection<CompanyRecord>;
}

/** A user with the company they belong to. */
export interface Account {
  user: UserRecord;
  company: CompanyRecord;
}

/** The account data that other services may know. */
export function toPrincipal({ user, company }: Account): Principal {
  return {
    userId: user.id,
    companyId: company.id,
    companyName: company.name,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    products: productsOf(company),
  };
}
