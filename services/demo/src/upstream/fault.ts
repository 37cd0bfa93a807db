/** What a server does instead of answering a request. */
export type Fault =
  /** Answers with this status; a body that is no string is sent as JSON. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Answers 200 with a web page. */
  | { readonly kind: "web-page" }
  /** Redirects to a page that asks people to sign in; on this server, or at the given address. */
  | { readonly kind: "sign-in-page"; readonly at?: string }
  /** Answers 200 with half of the JSON. */
  | { readonly kind: "broken-json" }
  /** Answers 200 without a body. */
  | { readonly kind: "empty" }
  /** Sends spaces, which JSON allows, before the answer. */
  | { readonly kind: "padded"; readonly bytes: number }
  /** Sends spaces without end. */
  | { readonly kind: "endless" }
  /** Accepts the request and never answers. */
  | { readonly kind: "silent" }
  /** Sends half of the answer and then nothing more. */
  | { readonly kind: "stalled" }
  /** Closes the connection within the answer. */
  | { readonly kind: "cut" }
  /** Changes the JSON of the answer. */
  | { readonly kind: "changed"; readonly change: (body: unknown) => unknown };
