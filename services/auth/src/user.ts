import type { CollectionSpec } from "@hourglass/runtime";

/** Somebody who can sign in. */
export interface UserRecord {
  id: number;
  /** As it was written when the user was made. */
  email: string;
  /** See `emailKey`. */
  email_key: string;
  first_name: string;
  last_name: string;
  company_id: number;
  /** Argon2id, in PHC form. */
  password_hash: string;
  /** Grows when all sessions are to end; tokens carry the version they were made for. */
  token_version: number;
  /** ISO 8601. */
  created_at: string;
}

export const USERS: CollectionSpec<UserRecord> = {
  name: "users",
  indexes: [{ fields: ["email_key"], unique: true }, { fields: ["company_id"] }],
};

/** Name of the counter that gives users their ids. */
export const USER_COUNTER = "users";

/** The form in which e-mails are compared: without case, and alike however accents were typed. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}
