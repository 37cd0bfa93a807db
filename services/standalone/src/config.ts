import { authSettings } from "@hourglass/auth";
import { gatewaySettings } from "@hourglass/gateway/config";
import { mediaSettings } from "@hourglass/media";
import { defineSettings, readConfig, variable, type Config, type Owners } from "@hourglass/runtime";
import { WORKER_SETTINGS } from "@hourglass/worker";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the process that runs the whole product. */
export const STANDALONE_SETTINGS = {
  ...WORKER_SETTINGS,
  gateway: gatewaySettings,
  auth: authSettings,
  media: mediaSettings,
};

export type StandaloneConfig = Config<typeof STANDALONE_SETTINGS>;

/** Reads the configuration of the whole product. Throws ConfigError. */
export function readStandaloneConfig(env: Environment): StandaloneConfig {
  return readConfig(env, STANDALONE_SETTINGS);
}

/** The settings of the administration command: those of the servers and its own. */
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

/** Reads the configuration of a command. Throws ConfigError. */
export function readAdminConfig(env: Environment): AdminConfig {
  return readConfig(env, ADMIN_SETTINGS);
}

/**
 * The settings of every process of a deployment of several, by its name there. docker-compose.yml and the list of all
 * names of variables are generated from them.
 */
export const PROCESS_SETTINGS: Readonly<Record<string, Owners>> = {
  gateway: { gateway: gatewaySettings },
  auth: { auth: authSettings },
  media: { media: mediaSettings },
  operation: { operation: WORKER_SETTINGS.operation },
  insight: { insight: WORKER_SETTINGS.insight, outbound: WORKER_SETTINGS.outbound },
  export: { export: WORKER_SETTINGS.export },
  worker: WORKER_SETTINGS,
  admin: ADMIN_SETTINGS,
};
