/** What building the brand list and measuring the analyses of pictures need of this package. */
export { type BrandKind, BRANDS_FILE, type BrandSpelling, formatBrands } from "../analyzers/logo-id/brands.js";
export { brandKey, brandWords } from "../analyzers/logo-id/brand-spelling.js";
export { entriesOf } from "../analyzers/topic/gazetteers.js";
export { wink } from "../text/wink.js";
