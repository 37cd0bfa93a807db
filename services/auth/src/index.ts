export { buildAuthService, type AuthServiceOptions, type AuthServiceParts } from "./auth-service.js";
export type { Bootstrapped } from "./accounts/bootstrap.js";
export { authSettings, type AuthConfig } from "./config.js";
export { KEY_LEAD_MS } from "./keys/key-ring.js";
export { generatePassword } from "./passwords/generate-password.js";
