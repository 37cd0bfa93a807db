export { allData } from "./company-data.js";
export { readStandaloneConfig } from "./config.js";
export { startStandalone, type Transport } from "./start.js";
