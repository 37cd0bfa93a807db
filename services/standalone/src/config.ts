import { authSettings } from "@hourglass/auth";
import { gatewaySettings } from "@hourglass/gateway";
import { mediaSettings } from "@hourglass/media";
import { readConfig, type Config } from "@hourglass/runtime";
import { WORKER_SETTINGS } from "@hourglass/worker";

/** The settings of the process that runs the whole product. */
export const STANDALONE_SETTINGS = {
  ...WORKER_SETTINGS,
  gateway: gatewaySettings,
  auth: authSettings,
  media: mediaSettings,
};

export type StandaloneConfig = Config<typeof STANDALONE_SETTINGS>;

/** Reads the configuration of the whole product. Throws ConfigError. */
export function readStandaloneConfig(env: Readonly<Record<string, string | undefined>>): StandaloneConfig {
  return readConfig(env, STANDALONE_SETTINGS);
}
