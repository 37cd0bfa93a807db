import { RedditUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { REDDIT } from "./index.js";
import { CREDENTIALS, environment } from "./testing/environment.js";

describeConnector({
  module: REDDIT,
  start: (now) => RedditUpstream.start({ ...CREDENTIALS, now }),
  env: environment,
  secret: CREDENTIALS.clientSecret,
  pageSize: 100,
  answers: {
    itemsOf: (body) => (body as { data: { children: Record<string, unknown>[] } }).data.children,
    required: ["kind", "data"],
  },
  rechecks: {
    termMs: 2 * 24 * 60 * 60_000,
    remove: (upstream, id) => upstream.remove(id),
    change: (upstream, id) => {
      upstream.edit(id, "Edited, a kestrel still.");
      return { text: "Edited, a kestrel still." };
    },
  },
});
