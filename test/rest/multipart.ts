/** One part of a form. */
export interface Part {
  /** Value of Content-Disposition after `form-data; `; default `name="file"; filename="f"`. */
  disposition?: string;
  /** Further header lines. */
  headers?: readonly string[];
  body?: string | Uint8Array;
}

const BOUNDARY = "----boundary-of-the-tests";

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form; `end: false` omits the last boundary. */
export function formOf(parts: readonly Part[], { end = true }: { end?: boolean } = {}): Buffer {
  const pieces = parts.flatMap(({ disposition = 'name="file"; filename="f"', headers = [], body = "" }) => {
    const head = [`--${BOUNDARY}`, `Content-Disposition: form-data; ${disposition}`, ...headers, "", ""].join("\r\n");
    return [Buffer.from(head), Buffer.from(body), Buffer.from("\r\n")];
  });
  return Buffer.concat([...pieces, ...(end ? [Buffer.from(`--${BOUNDARY}--\r\n`)] : [])]);
}
