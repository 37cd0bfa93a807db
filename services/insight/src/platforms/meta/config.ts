import { variable } from "@hourglass/runtime";

/** The variables of both platforms of Meta, which share an API; each may have an address of its own. */
export const graphVariables = {
  GRAPH_BASE_URL: variable.url("https", "http").default("https://graph.facebook.com"),
};
