import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationStatus } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, Dispatcher, route, type AuthenticatedContext, type Principal, type Route } from "@hourglass/runtime";
import { companyOfToken } from "../support/service-token.js";

export const TOKEN = "token-of-ada";
export const CHUNK_BYTES = 64 * 1024;

/** Ids that select a behavior of the fake operation service. */
export const FAILING = { withDetails: 400n, unexpectedly: 500n };

/** The real contract with handlers that need no store and record their calls. */
export class FakeServices {
  readonly contexts: AuthenticatedContext[] = [];
  readonly reported: unknown[] = [];
  readonly observed: string[] = [];
  /** The outcome of each upload's handler: its number of bytes, or its failure. */
  readonly uploads: (number | AppError)[] = [];
  uploadsBegun = 0;
  uploadedBytes = 0;
  chunksProduced = 0;
  readersLeft = 0;
  products: Principal["products"] = [{ uid: "api", active: true }];
  /** Lets waiting handlers continue. */
  release = (): void => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  readonly dispatcher = new Dispatcher({
    authenticate: (token) => this.authenticate(token),
    authenticateService: (token) => Promise.resolve({ service: "test", companyId: companyOfToken(token) }),
    reportFailure: (error) => this.reported.push(error.cause),
    observeCall: ({ method, outcome }) => this.observed.push(`${method.name} ${outcome}`),
  });

  readonly operation: Route = route(
    OperationService,
    {
      getOperation: async ({ id, wait }, context) => {
        this.contexts.push(context);
        if (id === FAILING.unexpectedly) throw new Error("password=hunter2 at 10.0.0.7");
        if (id === FAILING.withDetails) throw detailed();
        if (wait > 0) await Promise.race([this.released, aborted(context.signal)]);
        return { operation: { id, status: OperationStatus.DONE, data: { contents: [] } } };
      },
      createOperation: (request, context) => {
        this.contexts.push(context);
        return Promise.resolve({ id: BigInt(request.contents.length) });
      },
    },
    { product: "api" },
  );

  readonly media: Route = route(MediaService, {
    uploadFile: async (requests, { signal }) => {
      let size = 0;
      try {
        for await (const { part } of requests) {
          if (part.case === "metadata" && part.value.name === "refused") throw detailed();
          if (part.case === "metadata") {
            this.uploadsBegun += 1;
            if (part.value.name === "left") await aborted(signal);
          }
          if (part.case === "chunk") size += part.value.length;
          this.uploadedBytes = size;
        }
      } catch (error) {
        this.uploads.push(AppError.from(error));
        throw error;
      }
      this.uploads.push(size);
      return { id: BigInt(size) };
    },
    readFile: (request) => this.readFile(Number(request.fileId)),
  });

  get routes(): Route[] {
    return [
      this.operation,
      this.media,
      route(AuthService, { listKeys: () => Promise.resolve({ keys: [] }) }),
      route(InsightService, {}),
      route(ExportService, {}),
    ];
  }

  private authenticate(token: string): Promise<Principal> {
    if (token !== TOKEN) return Promise.reject(new AppError("unauthenticated", "The token is not valid."));
    const names = { companyName: "Acme", email: "ada@example.com", firstName: "Ada", lastName: "L" };
    return Promise.resolve({ userId: 1, role: "admin", companyId: 2, ...names, products: this.products });
  }

  private async *readFile(chunks: number) {
    try {
      for (let index = 0; index < chunks; index += 1) {
        this.chunksProduced += 1;
        // A turn of the event loop, like reading a file.
        await new Promise(setImmediate);
        yield { chunk: Buffer.alloc(CHUNK_BYTES, index) };
        if (index === 2 && chunks === 3) throw detailed();
      }
    } finally {
      this.readersLeft += 1;
    }
  }
}

export function detailed(): AppError {
  return new AppError("too-large", "That is too much.", {
    code: "too_many_values",
    violations: [{ field: "contents[3].text", message: "is too long" }],
    retryAfterMs: 1500,
    cause: new Error("password=hunter2"),
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}
