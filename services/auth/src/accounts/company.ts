import type { CollectionDeclaration } from "@hourglass/runtime";

/** All products; each company has all of them, active or not. */
export const PRODUCT_UIDS = ["api", "insight"] as const;

export type ProductUid = (typeof PRODUCT_UIDS)[number];

/** A customer of this server; users and all records belong to one. */
export interface CompanyRecord {
  id: number;
  name: string;
  /** One flat field per product, so that a product can be switched without reading the others. */
  api_active: boolean;
  insight_active: boolean;
  /** ISO 8601. */
  created_at: string;
  /** Present while all that the company has is being erased: nobody signs in, and no token works. */
  erasing?: true;
}

export const COMPANIES: CollectionDeclaration<CompanyRecord> = {
  name: "companies",
  indexes: [{ fields: ["name"], unique: true }],
  belongs: { because: "the record of a company is erased last, together with the end of its erasure" },
};

/** Name of the counter for company ids. */
export const COMPANY_COUNTER = "companies";

/** All products with their state, in a fixed order. */
export function productsOf(company: CompanyRecord): { uid: ProductUid; active: boolean }[] {
  return PRODUCT_UIDS.map((uid) => ({ uid, active: company[`${uid}_active`] }));
}

/** Whether the text names a product. */
export function isProductUid(text: string): text is ProductUid {
  return PRODUCT_UIDS.some((uid) => uid === text);
}
