import type { Reply } from "../upstream/exchange.js";

const PROBLEMS: Readonly<Record<number, readonly [code: string, serviceErrorCode: number, message: string]>> = {
  400: ["ILLEGAL_ARGUMENT", 100, "Syntax exception in path"],
  401: ["REVOKED_ACCESS_TOKEN", 65_601, "The token used in the request has been revoked by the user"],
  403: ["ACCESS_DENIED", 100, "Not enough permissions to access: partnerApiPostsExternal.FINDER-author"],
  404: ["RESOURCE_NOT_FOUND", 0, "No virtual resource found"],
  426: ["NONEXISTENT_VERSION", 0, "Requested version is not active"],
  429: [
    "TOO_MANY_REQUESTS",
    101,
    "Resource level throttle APPLICATION DAY limit for calls to this resource is reached.",
  ],
};

/** An error of LinkedIn. */
export function linkedinProblem(status: number, said?: string): Required<Pick<Reply, "status" | "body">> {
  const [code, serviceErrorCode, message] = PROBLEMS[status] ?? ["INTERNAL_SERVER_ERROR", 0, "Internal Server Error"];
  return { status, body: { message: said ?? message, status, serviceErrorCode, code } };
}
