/** What a client needs to know of a failure that has this code. */
export interface ExplainedCode {
  /** The HTTP status; RPC clients get the status of `toGrpcCode`. */
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
  /** Whether the same request can succeed: `no`; `wait`, after the seconds of Retry-After; or `yes`, at once. */
  readonly retry: "no" | "wait" | "yes";
}

/**
 * Every code of a failure, by the part of the interface that it belongs to. A code stays what it is once it was released.
 * docs/errors.md is made of this by `npm run generate:errors`, and the OpenAPI document lists the names.
 */
export const EXPLAINED_CODES = {
  "Every route": {
    invalid_request: {
      status: 400,
      cause: "A field or parameter is wrong.",
      remedy: "Correct what `details` names.",
      retry: "no",
    },
    conflict: {
      status: 400,
      cause: "Something with this name exists.",
      remedy: "Give another name.",
      retry: "no",
    },
    idempotency_key_reused: {
      status: 400,
      cause: "The `Idempotency-Key` was used for another request within 24 hours.",
      remedy: "Give a new key.",
      retry: "no",
    },
    not_found: {
      status: 404,
      cause: "There is no such record, or it belongs to another company.",
      remedy: "Check the id, and whose token you send.",
      retry: "no",
    },
    route_not_found: {
      status: 404,
      cause: "The path is none of the routes.",
      remedy: "Compare it with `/openapi.json`.",
      retry: "no",
    },
    method_not_allowed: {
      status: 405,
      cause: "The route does not know this method.",
      remedy: "Use one that the header `Allow` names.",
      retry: "no",
    },
    precondition_failed: {
      status: 412,
      cause: "The record was changed since you read the tag in `If-Match`.",
      remedy: "Read the record again, then decide.",
      retry: "no",
    },
    too_many_requests: {
      status: 429,
      cause: "You sent more requests than `RATE_LIMIT_PER_MINUTE`.",
      remedy: "Send fewer, or ask the operator for more.",
      retry: "wait",
    },
    too_much_in_progress: {
      status: 429,
      cause: "Your large bodies and answers in transfer exceed their limit.",
      remedy: "Send them one after the other.",
      retry: "wait",
    },
    too_many_waits: {
      status: 429,
      cause: "You wait with more than 200 requests at a time.",
      remedy: "Ask without `wait`, or wait for fewer.",
      retry: "wait",
    },
    internal: {
      status: 500,
      cause: "A fault of the server.",
      remedy: "Give the `request_id` to the operator.",
      retry: "yes",
    },
    not_implemented: {
      status: 501,
      cause: "The server is of a release without this.",
      remedy: "Ask the operator to upgrade.",
      retry: "no",
    },
    starting: {
      status: 503,
      cause: "The server is starting.",
      remedy: "Wait; `/readyz` is 200 once it is ready.",
      retry: "wait",
    },
    unavailable: {
      status: 503,
      cause: "The database or a part of the server is away.",
      remedy: "Wait. Operators: see `/readyz`.",
      retry: "wait",
    },
    busy: {
      status: 503,
      cause: "The server has too many large bodies in transfer.",
      remedy: "Wait. Operators: add a gateway.",
      retry: "wait",
    },
    overloaded: {
      status: 503,
      cause: "More work waits than `MAX_BACKLOG_OPERATIONS`.",
      remedy: "Wait. Operators: add workers.",
      retry: "wait",
    },
    queue_unavailable: {
      status: 503,
      cause: "RabbitMQ is away.",
      remedy: "Wait. Operators: see `/readyz`.",
      retry: "wait",
    },
    service_token_refused: {
      status: 503,
      cause: "Parts of the server have different secrets.",
      remedy: "Operators: give all parts the same `SERVICE_SECRET`.",
      retry: "wait",
    },
    store_full: {
      status: 503,
      cause: "The disk of the database is full.",
      remedy: "Operators: make room. Deletions still work.",
      retry: "wait",
    },
    cancelled: {
      status: 503,
      cause: "The request was canceled on its way.",
      remedy: "Send it again.",
      retry: "wait",
    },
    deadline_exceeded: {
      status: 504,
      cause: "The answer took too long.",
      remedy: "Send it again, or ask for less at once.",
      retry: "wait",
    },
  },
  "Sign-in and access": {
    unauthenticated: {
      status: 401,
      cause: "The token or key is missing, malformed or ended.",
      remedy: "Sign in, or send another key.",
      retry: "no",
    },
    token_expired: {
      status: 401,
      cause: "The token was good until its time was over.",
      remedy: "Sign in again; next time renew it before.",
      retry: "no",
    },
    key_expired: {
      status: 401,
      cause: "The API key was good until its `expires_at`.",
      remedy: "Make a new key.",
      retry: "no",
    },
    wrong_credentials: {
      status: 401,
      cause: "E-mail or password is wrong, or the user is inactive.",
      remedy: "Correct them, or ask an admin.",
      retry: "no",
    },
    company_needed: {
      status: 400,
      cause: "Users of several companies have this e-mail and password.",
      remedy: "Sign in with `user.company`, the name of one of them.",
      retry: "no",
    },
    wrong_password: {
      status: 400,
      cause: "`current_password` is wrong.",
      remedy: "Give the password that you signed in with.",
      retry: "no",
    },
    forbidden: {
      status: 403,
      cause: "You may not do this.",
      remedy: "Ask an admin of your company.",
      retry: "no",
    },
    product_inactive: {
      status: 403,
      cause: "Your company does not have this product.",
      remedy: "Operators: `admin -- product set`.",
      retry: "no",
    },
    admin_needed: {
      status: 403,
      cause: "Only admins may do this.",
      remedy: "Ask an admin of your company.",
      retry: "no",
    },
    services_only: {
      status: 403,
      cause: "The method is for services of the deployment, over gRPC.",
      remedy: "Call another method.",
      retry: "no",
    },
    read_only_role: {
      status: 403,
      cause: "A viewer can only read, and so can the API keys of a member who became one.",
      remedy: "Ask an admin for the role `member`.",
      retry: "no",
    },
    read_only_key: {
      status: 403,
      cause: "The API key is read-only.",
      remedy: "Make a key that may write.",
      retry: "no",
    },
    scope_missing: {
      status: 403,
      cause: "The API key lacks the scope of this route.",
      remedy: "Make a key with the scope that `error` names.",
      retry: "no",
    },
    no_api_keys: {
      status: 403,
      cause: "API keys may not do this.",
      remedy: "Sign in as a user.",
      retry: "no",
    },
    session_over: {
      status: 403,
      cause: "The session is older than `SESSION_DAYS`.",
      remedy: "Sign in again.",
      retry: "no",
    },
    last_admin: {
      status: 409,
      cause: "The company would have no admin left.",
      remedy: "Make another user an admin first.",
      retry: "no",
    },
    already_exists: {
      status: 409,
      cause: "A user or company with this name exists.",
      remedy: "Use it, or give another name.",
      retry: "no",
    },
    too_many_sign_in_attempts: {
      status: 429,
      cause: "Too many attempts from this address.",
      remedy: "Wait. Operators behind a proxy: set `TRUSTED_PROXIES`.",
      retry: "wait",
    },
  },
  "Bodies and headers": {
    malformed_request: {
      status: 400,
      cause: "The request is not valid HTTP.",
      remedy: "Correct the header that `error` names.",
      retry: "no",
    },
    invalid_json: {
      status: 400,
      cause: "The body is missing, not JSON, or nested too deep.",
      remedy: "Send a JSON object.",
      retry: "no",
    },
    invalid_utf8: {
      status: 400,
      cause: "The body is not UTF-8.",
      remedy: "Encode it in UTF-8.",
      retry: "no",
    },
    request_timeout: {
      status: 408,
      cause: "The body arrived too slowly.",
      remedy: "Send it over a faster connection.",
      retry: "yes",
    },
    body_too_large: {
      status: 413,
      cause: "The body exceeds the limit of its route.",
      remedy: "Send less at once.",
      retry: "no",
    },
    too_large: {
      status: 413,
      cause: "The message exceeds the limit of a call.",
      remedy: "Send less at once.",
      retry: "no",
    },
    too_many_values: {
      status: 413,
      cause: "The body has more than 50,000 fields and items.",
      remedy: "Divide it.",
      retry: "no",
    },
    unsupported_media_type: {
      status: 415,
      cause: "The body has another `Content-Type`.",
      remedy: "Use one that `error` names.",
      retry: "no",
    },
    unsupported_content_encoding: {
      status: 415,
      cause: "The body is compressed.",
      remedy: "Send it uncompressed.",
      retry: "no",
    },
    unsupported_charset: {
      status: 415,
      cause: "The body is in another charset.",
      remedy: "Encode it in UTF-8.",
      retry: "no",
    },
    range_not_satisfiable: {
      status: 416,
      cause: "The range begins beyond the end.",
      remedy: "Ask for bytes before the end in `Content-Range`.",
      retry: "no",
    },
    headers_too_large: {
      status: 431,
      cause: "The headers exceed 16 KiB.",
      remedy: "Send fewer or shorter ones.",
      retry: "no",
    },
  },
  "Operations and files": {
    operation_not_found: {
      status: 404,
      cause: "There is no such operation in your company.",
      remedy: "Check the id.",
      retry: "no",
    },
    operation_not_done: {
      status: 409,
      cause: "The results do not exist yet.",
      remedy: "Wait, best with `?wait=60`.",
      retry: "wait",
    },
    operation_failed: {
      status: 409,
      cause: "The operation ended `failed`.",
      remedy: "Read its `error`; create it again.",
      retry: "no",
    },
    operation_invalid: {
      status: 409,
      cause: "The operation ended `invalid`.",
      remedy: "Read its `error`; correct the contents.",
      retry: "no",
    },
    too_many_unfinished_operations: {
      status: 429,
      cause: "Your company has `MAX_UNFINISHED_OPERATIONS`.",
      remedy: "Wait until some have ended.",
      retry: "wait",
    },
    unsupported_file: {
      status: 400,
      cause: "The file is of another type, has no readable header, or exceeds a limit.",
      remedy: "Send a PNG, JPG, MP3 or MP4 as its message says.",
      retry: "no",
    },
    empty_file: {
      status: 400,
      cause: "The file has no bytes.",
      remedy: "Send another file.",
      retry: "no",
    },
    file_missing: {
      status: 400,
      cause: "The form has no part `file` with a file name.",
      remedy: "Send one such part.",
      retry: "no",
    },
    malformed_form: {
      status: 400,
      cause: "The form cannot be read.",
      remedy: "Send `multipart/form-data`.",
      retry: "no",
    },
    file_used: {
      status: 400,
      cause: "An operation uses the file.",
      remedy: "Delete the operation; the file goes with it.",
      retry: "no",
    },
    no_picture: {
      status: 400,
      cause: "The file has no picture, or it cannot be decoded.",
      remedy: "Ask for the file without `width`.",
      retry: "no",
    },
    file_too_large: {
      status: 413,
      cause: "The file exceeds `MAX_UPLOAD_BYTES`.",
      remedy: "Send a smaller file.",
      retry: "no",
    },
    storage_full: {
      status: 507,
      cause: "There is no room for the file.",
      remedy: "Operators: make room.",
      retry: "no",
    },
  },
  Insights: {
    invalid_query: {
      status: 400,
      cause: "The keywords cannot be understood.",
      remedy: "Correct the place that `details` names.",
      retry: "no",
    },
    invalid_csv: {
      status: 400,
      cause: "The CSV cannot be read.",
      remedy: "Correct the header, or give a map.",
      retry: "no",
    },
    insight_paused: {
      status: 400,
      cause: "A paused insight takes no imports.",
      remedy: "Resume it, then import.",
      retry: "no",
    },
    insight_ended: {
      status: 400,
      cause: "The preview has ended.",
      remedy: "Make it continuous, or create another.",
      retry: "no",
    },
    insight_not_found: {
      status: 404,
      cause: "There is no such insight in your company. Pause and resume answer 400.",
      remedy: "Check the id.",
      retry: "no",
    },
    posting_not_found: {
      status: 404,
      cause: "The insight has no posting with this key.",
      remedy: "Check the key; it may be erased.",
      retry: "no",
    },
    explain_unavailable: {
      status: 503,
      cause: "No worker explained the posting in time.",
      remedy: "Create an operation with its text.",
      retry: "wait",
    },
  },
  Exports: {
    export_not_found: {
      status: 404,
      cause: "There is no such export, or the link has expired.",
      remedy: "Check the id, or create a link.",
      retry: "no",
    },
    export_not_done: {
      status: 409,
      cause: "The export is still running.",
      remedy: "Wait until its status is `done`.",
      retry: "wait",
    },
    export_failed: {
      status: 409,
      cause: "The export ended `failed`.",
      remedy: "Read its `error`; create it again.",
      retry: "no",
    },
    export_revised: {
      status: 409,
      cause: "Postings were erased from it during the download.",
      remedy: "Start the download again.",
      retry: "yes",
    },
    export_files_lost: {
      status: 500,
      cause: "Its files are missing in the storage.",
      remedy: "Create the export again.",
      retry: "no",
    },
    too_many_unfinished_exports: {
      status: 429,
      cause: "Your company has `MAX_UNFINISHED_EXPORTS`.",
      remedy: "Wait until some have ended.",
      retry: "wait",
    },
  },
  "RPC alone": {
    malformed_message: {
      status: 400,
      cause: "The message cannot be decoded.",
      remedy: "Encode it by the contract in `proto/`.",
      retry: "no",
    },
    incomplete_message: {
      status: 400,
      cause: "The message ended too early.",
      remedy: "Send all of it.",
      retry: "yes",
    },
    method_not_found: {
      status: 404,
      cause: "The service has no such method.",
      remedy: "Compare it with `proto/`.",
      retry: "no",
    },
    compression_unsupported: {
      status: 501,
      cause: "The message is compressed.",
      remedy: "Send it uncompressed.",
      retry: "no",
    },
  },
} as const satisfies Record<string, Record<string, ExplainedCode>>;

type Groups = typeof EXPLAINED_CODES;

/** The code of a failure: snake_case, stable. */
export type ErrorCode = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** All codes, in the order of the groups. */
export const ERROR_CODES = Object.values(EXPLAINED_CODES).flatMap((group) => Object.keys(group)) as ErrorCode[];
