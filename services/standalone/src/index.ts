export { allData } from "./all-data.js";
export { readStandaloneConfig, STANDALONE_SETTINGS, type StandaloneConfig } from "./config.js";
export { startStandalone, type Standalone, type StandaloneOptions } from "./start-standalone.js";
export type { Transport } from "./host.js";
