/** The kinds of variables, under one name. Not in the index, which would then be loaded with all that it names. */
export * as variable from "./variable-kinds.js";
