import { type ConfigOf, defineSettings } from "./settings.js";
import { flag, hosts, integer } from "./variable-kinds.js";

/** Of processes that fetch files by URLs which users give. */
export const outboundSettings = defineSettings(
  {
    ALLOW_PRIVATE_URLS: flag,
    /** Where files may be fetched from, such as `media.example.com,*.example.org`; unset: any public host. */
    URL_ALLOWED_HOSTS: hosts(),
    /** Files that one process fetches at a time; one company's are half of them at most. */
    URL_FETCHES: integer(1, 256, 8),
  },
  (values) => ({
    allowPrivateUrls: values.ALLOW_PRIVATE_URLS,
    allowedHosts: values.URL_ALLOWED_HOSTS,
    fetches: values.URL_FETCHES,
  }),
);

export type OutboundConfig = ConfigOf<typeof outboundSettings>;
