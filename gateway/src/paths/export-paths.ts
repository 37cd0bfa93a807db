import { INSIGHTS } from "./insight-paths.js";

/** Path of exports. */
export const EXPORTS = `${INSIGHTS}/exports`;
/** A second path for creating and reading exports, which clients of the interface also use. */
export const EXPORTS_ALIAS = "/api/v2/products/api/exports";
/** Path of the links of exports, each followed by its token. */
export const EXPORT_LINKS = `${EXPORTS}/links`;
