export * from "./analyzer.js";
