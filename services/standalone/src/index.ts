export { startStandalone, type Standalone, type StandaloneOptions } from "./start-standalone.js";
export type { Transport } from "./host.js";
