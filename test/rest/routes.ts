import type { Answer, SendOptions, TestServer } from "../support/server.js";

export const SIGN_IN = "/api/v1/users/sign_in";
export const ME = "/api/v2/me";
export const KEYS = "/api/v2/keys";
export const USERS = "/api/v2/users";
export const AUDIT = "/api/v2/audit";
export const OPERATIONS = "/api/v2/products/api/operations";
export const UPLOAD = `${OPERATIONS}/upload`;
/** The token in the path is all that is needed. */
export const FILE_LINKS = `${UPLOAD}/links`;
export const INSIGHTS = "/api/v2/products/insight";
export const EXPORTS = `${INSIGHTS}/exports`;
/** The token in the path is all that is needed. */
export const EXPORT_LINKS = `${EXPORTS}/links`;
export const EXPORTS_ALIAS = "/api/v2/products/api/exports";

/** A minimal operation that every server accepts. */
export const TEXT_OPERATION = { type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] };

/** Every path with routes, and its methods. */
export const ROUTES: readonly (readonly [path: string, ...methods: string[]])[] = [
  [SIGN_IN, "POST", "DELETE"],
  [ME, "GET", "HEAD"],
  [`${ME}/renew`, "POST"],
  [`${ME}/password`, "PUT"],
  [KEYS, "GET", "HEAD", "POST"],
  [`${KEYS}/1`, "DELETE"],
  [USERS, "GET", "HEAD", "POST"],
  [`${USERS}/1`, "GET", "HEAD", "PATCH", "DELETE"],
  [AUDIT, "GET", "HEAD"],
  [OPERATIONS, "GET", "HEAD", "POST"],
  [`${OPERATIONS}/1`, "GET", "HEAD", "DELETE"],
  [`${OPERATIONS}/1/contents`, "GET", "HEAD"],
  [UPLOAD, "GET", "HEAD", "POST"],
  [`${UPLOAD}/1`, "GET", "HEAD", "DELETE"],
  [`${UPLOAD}/1/content`, "GET", "HEAD"],
  [`${UPLOAD}/1/links`, "POST"],
  [`${FILE_LINKS}/none`, "GET", "HEAD"],
  [INSIGHTS, "GET", "HEAD", "POST"],
  [`${INSIGHTS}/check`, "POST"],
  [`${INSIGHTS}/platforms`, "GET", "HEAD"],
  [`${INSIGHTS}/postings`, "DELETE"],
  [`${INSIGHTS}/1`, "GET", "HEAD", "PATCH", "DELETE"],
  [`${INSIGHTS}/1/pause`, "PUT"],
  [`${INSIGHTS}/1/resume`, "PUT"],
  [`${INSIGHTS}/1/postings`, "GET", "HEAD", "POST"],
  [`${INSIGHTS}/1/postings/news-1`, "GET", "HEAD"],
  [`${INSIGHTS}/1/coverage`, "GET", "HEAD"],
  [`${INSIGHTS}/1/summary`, "GET", "HEAD"],
  [EXPORTS, "GET", "HEAD", "POST"],
  [`${EXPORTS}/1`, "GET", "HEAD", "DELETE"],
  [`${EXPORTS}/1/download`, "GET", "HEAD"],
  [`${EXPORTS}/1/links`, "POST"],
  [`${EXPORT_LINKS}/none`, "GET", "HEAD"],
  [EXPORTS_ALIAS, "POST"],
  [`${EXPORTS_ALIAS}/1`, "GET", "HEAD"],
  ["/api/v2/server", "GET", "HEAD"],
  ["/api/v2/models", "GET", "HEAD"],
  ["/healthz", "GET", "HEAD"],
  ["/readyz", "GET", "HEAD"],
  // Separate processes serve it on its own port.
  ...(process.env["TEST_TOPOLOGY"] === "processes" ? [] : [["/metrics", "GET", "HEAD"] as const]),
  ["/openapi.json", "GET", "HEAD"],
  ["/", "GET", "HEAD"],
  ["/docs", "GET", "HEAD"],
  ["/docs/api", "GET", "HEAD"],
  ["/.well-known/jwks.json", "GET", "HEAD"],
];

/** The body of a failure. */
export interface Failure {
  error: string;
  code: string;
  details?: { field: string; message: string; start?: number; end?: number }[];
  request_id: string;
}

/** Requests of one signed-in user. */
export class User {
  private constructor(
    private readonly server: TestServer,
    readonly authorization: string,
  ) {}

  static async signIn(server: TestServer, ...credentials: [email?: string, password?: string]): Promise<User> {
    return new User(server, await server.signIn(...credentials));
  }

  send(method: string, route: string, options: SendOptions = {}): Promise<Answer> {
    return this.server.send(method, route, { authorization: this.authorization, ...options });
  }

  get(route: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("GET", route, { headers });
  }

  post(route: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("POST", route, { body, headers });
  }

  /** Creates an operation and reads it after its end. */
  async analyze(body: unknown): Promise<Record<string, unknown>> {
    const created = await this.post(OPERATIONS, body);
    if (created.status !== 201) throw new Error(`not accepted: ${created.status} ${created.text}`);
    const { body: operation } = await this.get(`${created.headers.get("location")}?wait=60`);
    return operation as Record<string, unknown>;
  }
}

/** The fields named in a failure, in order. */
export function fieldsOf(answer: Answer): string[] {
  return ((answer.body as Failure).details ?? []).map(({ field }) => field);
}

/** An answer without the time at which it was given. */
export function lasting(text: string): string {
  return text.replace(/"watermark":"\d+"/, "");
}
