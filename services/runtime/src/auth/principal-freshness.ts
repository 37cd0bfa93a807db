/** How long an answer about a token is cached; a changed password or product takes effect everywhere after it. */
export const PRINCIPAL_FRESH_MS = 1000;
