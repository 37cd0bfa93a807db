import { type CollectionDeclaration, ofCompany } from "@hourglass/runtime";

/** A user who can sign in. */
export interface UserRecord {
  id: number;
  /** As given when the user was created. */
  email: string;
  /** See `emailKey`. */
  email_key: string;
  first_name: string;
  last_name: string;
  company_id: number;
  /** Argon2id, in PHC form. */
  password_hash: string;
  /** Increased to end all sessions; tokens carry the version for which they were made. */
  token_version: number;
  /** ISO 8601. */
  created_at: string;
}

export const USERS: CollectionDeclaration<UserRecord> = {
  name: "users",
  indexes: [{ fields: ["email_key"], unique: true }, { fields: ["company_id"] }],
  belongs: [ofCompany("company_id")],
};

/** Name of the counter for user ids. */
export const USER_COUNTER = "users";

/** The form in which e-mails are compared: case-insensitive, with accents normalized. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}
