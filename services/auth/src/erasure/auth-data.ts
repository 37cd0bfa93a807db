import { declared, type ServiceData } from "@hourglass/runtime";
import { COMPANIES } from "../accounts/company.js";
import { USERS } from "../accounts/user.js";
import { SIGNING_KEYS } from "../keys/stored-key-store.js";
import { ERASURES } from "./erasure-record.js";

/** All that this service keeps. */
export const AUTH_DATA: ServiceData = {
  collections: [declared(USERS), declared(SIGNING_KEYS), declared(ERASURES), declared(COMPANIES)],
};
