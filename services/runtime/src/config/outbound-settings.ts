import { type ConfigOf, defineSettings } from "./settings.js";
import { flag, hosts, integer } from "./variable-kinds.js";

/** Settings of processes that fetch files from URLs given by users. */
export const outboundSettings = defineSettings(
  {
    ALLOW_PRIVATE_URLS: flag,
    /** Hosts from which files may be fetched, such as `media.example.com,*.example.org`; unset: any public host. */
    URL_ALLOWED_HOSTS: hosts(),
    /** Files that one process fetches concurrently; one company gets at most half of them. */
    URL_FETCHES: integer(1, 256, 8),
  },
  (values) => ({
    allowPrivateUrls: values.ALLOW_PRIVATE_URLS,
    allowedHosts: values.URL_ALLOWED_HOSTS,
    fetches: values.URL_FETCHES,
  }),
);

export type OutboundConfig = ConfigOf<typeof outboundSettings>;
