import { request, type IncomingHttpHeaders } from "node:http";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  AppError,
  createInProcessClient,
  createLogger,
  Dispatcher,
  route,
  type Authenticate,
  type Handlers,
  type Principal,
} from "@hourglass/runtime";
import { Gateway, type GatewayOptions, type GatewayUsage } from "../gateway.js";
import type { Clients } from "../services.js";

/** Handlers of the services behind the gateway; omitted methods are unimplemented. */
export interface FakeHandlers {
  auth?: Handlers<typeof AuthService>;
  operation?: Handlers<typeof OperationService>;
  media?: Handlers<typeof MediaService>;
  insight?: Handlers<typeof InsightService>;
  export?: Handlers<typeof ExportService>;
}

const BOTH_PRODUCTS = [
  { uid: "api", active: true },
  { uid: "insight", active: true },
];

/** Users by the token that this gateway accepts. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  good: principal(1, BOTH_PRODUCTS),
  other: principal(2, BOTH_PRODUCTS),
  "no-api": principal(3, [{ uid: "insight", active: true }]),
  "no-insight": principal(4, [
    { uid: "api", active: true },
    { uid: "insight", active: false },
  ]),
  hg_secret: {
    ...principal(5, BOTH_PRODUCTS),
    role: "member",
    key: { id: 7, name: "k", scopes: ["operations"], readOnly: false },
  },
};

export const AUTHORIZATION = "Bearer good";

export interface GatewayUnderTest {
  url: string;
  port: number;
  /** Lines of the log, parsed. */
  log: Record<string, unknown>[];
  usage(): GatewayUsage;
  stop(graceMs?: number): Promise<void>;
}

/** A gateway on a free port, with real dispatch to fake services in this process. */
export async function startGateway(
  handlers: FakeHandlers = {},
  overrides: Partial<Omit<GatewayOptions, "clients">> = {},
): Promise<GatewayUnderTest> {
  const log: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) };
  const gateway = new Gateway({
    clients: createFakeClients(handlers),
    authenticate,
    authenticateService: () => Promise.reject(new AppError("unauthenticated", "No service is known here.")),
    config: { bodyBytesMax: 20_971_520, rateLimitPerMinute: 0 },
    log: createLogger("info", destination),
    readiness: () => Promise.resolve({ ready: true, dependencies: { store: { state: "ready" } } }),
    ...overrides,
  });
  const { url, port } = await gateway.listen("127.0.0.1", 0);
  return { url, port, log, usage: () => gateway.usage, stop: (graceMs = 2000) => gateway.stop(graceMs) };
}

/** Clients of fake services, through the same dispatch as the real ones. */
export function createFakeClients(handlers: FakeHandlers): Clients {
  const dispatcher = new Dispatcher({ authenticate, reportFailure: () => undefined });
  return {
    auth: createInProcessClient(AuthService, route(AuthService, handlers.auth ?? {}), dispatcher),
    operation: createInProcessClient(
      OperationService,
      route(OperationService, handlers.operation ?? {}, { product: "api" }),
      dispatcher,
    ),
    media: createInProcessClient(
      MediaService,
      route(MediaService, handlers.media ?? {}, { product: "api" }),
      dispatcher,
    ),
    insight: createInProcessClient(
      InsightService,
      route(InsightService, handlers.insight ?? {}, { product: "insight" }),
      dispatcher,
    ),
    export: createInProcessClient(
      ExportService,
      route(ExportService, handlers.export ?? {}, { product: "insight" }),
      dispatcher,
    ),
  };
}

/** Accepts the tokens of the fake users. */
export const authenticate: Authenticate = (token) => {
  const found = PRINCIPALS[token];
  if (found !== undefined) return Promise.resolve(found);
  return Promise.reject(new AppError("unauthenticated", "A valid access token is needed."));
};

function principal(userId: number, products: Principal["products"]): Principal {
  return {
    userId,
    role: "admin",
    companyId: userId,
    companyName: "Example",
    email: "user@example.com",
    firstName: "Ada",
    lastName: "Example",
    products,
  };
}

/** An answer with its headers and body as they were sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests to the gateway started last, as its first user. */
export class GatewayClient {
  private gateway: GatewayUnderTest | undefined;

  get url(): string {
    return this.gateway?.url ?? "";
  }

  readonly start = async (...args: Parameters<typeof startGateway>): Promise<GatewayUnderTest> => {
    this.gateway = await startGateway(...args);
    return this.gateway;
  };

  readonly get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(this.url + path, { headers: { authorization: AUTHORIZATION, ...headers } });

  /** A body that is not a string is sent as JSON. */
  readonly post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(this.url + path, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  /** Sends nothing that is not given, unlike fetch. Rejects if the body is cut. */
  readonly raw = (
    path: string,
    headers: Record<string, string> = {},
    method = "GET",
    body: string | Buffer = "",
  ): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers: { authorization: AUTHORIZATION, ...headers } });
      sent.on("error", reject);
      sent.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.end(body);
    });

  async stop(): Promise<void> {
    await this.gateway?.stop();
    this.gateway = undefined;
  }
}
