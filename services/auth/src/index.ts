export type { Bootstrapped } from "./accounts.js";
export { firstPasswordFile } from "./first-password.js";
export { authSettings } from "./config.js";
export { lookAtKeys, type KeyConcern } from "./key-concerns.js";
export { CompanyErasures, type ErasureRecord } from "./erasures.js";
export { FileKeyStore, KEY_COLLECTION, RecordKeyStore, reencryptKeys, type KeyStore } from "./key-store.js";
export { generatePassword } from "./passwords.js";
export { AUTH_DATA, buildAuthService, type AuthServiceParts } from "./service.js";
export { KEY_LEAD_MS } from "./signing-keys.js";
