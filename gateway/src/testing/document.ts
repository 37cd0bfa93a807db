import { PLATFORM } from "@hourglass/posting";
import { withDefaults } from "../config.js";
import { createEndpoints } from "../gateway.js";
import { Console } from "../routes/console.js";
import { ResponseCache } from "../http/response-cache.js";
import { buildDocument } from "../openapi/document.js";
import { createFakeClients } from "./gateway-under-test.js";

/** The OpenAPI document of a server with every platform, from which the types of clients are made. */
export function documentOfEverything(): ReturnType<typeof buildDocument> {
  const settings = withDefaults({ bodyBytesMax: 1, rateLimitPerMinute: 0, platforms: PLATFORM.names });
  const endpoints = createEndpoints({
    clients: createFakeClients({}),
    settings,
    readiness: () => Promise.resolve({ ready: true, dependencies: {} }),
    cache: new ResponseCache(),
    web: new Console(),
    isStopping: () => false,
  });
  return buildDocument(endpoints, settings.platforms);
}
