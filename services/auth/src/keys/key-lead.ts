import { KEY_REFRESH_INTERVAL_MS } from "@hourglass/runtime";

/**
 * A new key is listed for this long before it signs, unless it is the only one: by then every process has read it, and
 * no token is refused because of an unknown key.
 */
export const KEY_LEAD_MS = KEY_REFRESH_INTERVAL_MS + 1000;
