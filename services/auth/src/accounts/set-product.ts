import { AppError, giveOneOf } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { isProductUid, PRODUCT_UIDS, type CompanyRecord } from "./company.js";
import { findCompany } from "./find-account.js";

export interface ProductSwitch {
  /** Name of the company. */
  company: string;
  uid: string;
  active: boolean;
}

/** Switches a product of a company on or off; AppError `not-found` if there is no such company. */
export function createSetProduct(accounts: Accounts): (change: ProductSwitch) => Promise<CompanyRecord> {
  return async ({ company: name, uid, active }) => {
    if (!isProductUid(uid)) {
      throw AppError.invalid([{ field: "uid", message: giveOneOf(PRODUCT_UIDS, uid) }]);
    }
    const { id } = await findCompany(accounts, name);
    const set = uid === "api" ? { api_active: active } : { insight_active: active };
    const company = await accounts.companies.update({ id }, { set });
    if (company === undefined)
      throw new AppError("not-found", `There is no company named "${name}". The command company list shows them all.`);
    return company;
  };
}
