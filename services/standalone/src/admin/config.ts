import { defineSettings, readConfig, variable, type Config } from "@hourglass/runtime";
import { STANDALONE_SETTINGS } from "../config.js";

/** The settings of the administration command. */
export const ADMIN_SETTINGS = {
  ...STANDALONE_SETTINGS,
  admin: defineSettings(
    {
      /** The password to set; never stored. */
      ADMIN_PASSWORD: variable.secret(variable.password(8).optional()),
      /** The passphrase that `keys encrypt` encrypts the signing keys with. */
      NEW_SIGNING_KEY_PASSPHRASE: variable.secret(variable.password(16).optional()),
    },
    (values) => ({ password: values.ADMIN_PASSWORD, newSigningKeyPassphrase: values.NEW_SIGNING_KEY_PASSPHRASE }),
  ),
};

export type AdminConfig = Config<typeof ADMIN_SETTINGS>;

/** Reads the configuration of a command: that of the servers and its own. Throws ConfigError. */
export function readAdminConfig(env: Readonly<Record<string, string | undefined>>): AdminConfig {
  return readConfig(env, ADMIN_SETTINGS);
}
