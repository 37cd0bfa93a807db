export { buildAuthService, type AuthServiceOptions, type AuthServiceParts } from "./auth-service.js";
export type { Bootstrapped } from "./accounts/bootstrap.js";
export { authSettings, type AuthConfig } from "./config.js";
export { createFileKeyStore } from "./keys/file-key-store.js";
export { createStoredKeyStore, KEY_COLLECTION, reencryptKeys } from "./keys/stored-key-store.js";
export type { KeyStore, StoredKey as StoredSigningKey } from "./keys/key-store.js";
export { KEY_LEAD_MS } from "./keys/key-lead.js";
export { generatePassword } from "./passwords/generate-password.js";
export { AUTH_DATA } from "./erasure/auth-data.js";
export {
  openCompanyErasures,
  type CompanyErasures,
  type Erased,
  type ErasedCompany,
} from "./erasure/company-erasures.js";
export type { ErasureRecord } from "./erasure/erasure-record.js";
