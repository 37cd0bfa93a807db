export const COMPANY = 1;
/** An operation that has a file, and is stored. */
export const STORED_OPERATION = 5;
/** An operation whose creation died after it had claimed a file. */
export const DEAD_CREATION = 900;
