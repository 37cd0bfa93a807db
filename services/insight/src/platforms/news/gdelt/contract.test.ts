import { GdeltUpstream } from "@hourglass/demo";
import { describeConnector } from "../../testing/connector-contract.js";
import { NEWS } from "../index.js";

/** Time of one file, in which the suite posts ten articles. */
const FILE_MS = 1000;

const NO_LIST = { status: "failing", sentence: /names none/ } as const;

describeConnector({
  module: NEWS,
  start: (now) => GdeltUpstream.start({ now, fileMs: FILE_MS }),
  env: ({ origin }) => ({ NEWS_FEEDS: "none", NEWS_GDELT: "english", NEWS_GDELT_BASE_URL: origin }),
  pageSize: 10,
  faults: {
    "credentials that are rejected": { status: "failing", sentence: /refuses the request \(401\)/ },
    "an app without the permission": { status: "failing", sentence: /refuses the request \(403\)/ },
    "a web page": NO_LIST,
    "a redirect to a sign-in page": NO_LIST,
    "half of the answer": NO_LIST,
    "an empty answer": NO_LIST,
  },
});
