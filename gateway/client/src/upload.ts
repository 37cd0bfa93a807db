/** How far an upload is, in bytes of the file. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

export interface UploadOptions {
  /** Default: `file`. */
  readonly name?: string;
  /** The same key with the same bytes gives the same id, when a broken upload is repeated. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
}

/** What to send, and where. */
export interface Upload extends UploadOptions {
  readonly url: string;
  readonly file: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/**
 * Sends a file as a form and returns the response. A browser tells the progress of its XMLHttpRequest, since its fetch tells
 * none; elsewhere the form is sent as a stream.
 */
export function sendFile(upload: Upload): Promise<Response> {
  const isBrowser = typeof XMLHttpRequest !== "undefined";
  return isBrowser && upload.onProgress !== undefined ? sendByBrowser(upload) : sendAsStream(upload);
}

async function sendAsStream(upload: Upload): Promise<Response> {
  const { url, file, name = "file", headers, onProgress, signal } = upload;
  if (onProgress === undefined) {
    const form = new FormData();
    form.set("file", file, name);
    return upload.fetch(url, { method: "POST", headers, body: form, ...(signal === undefined ? {} : { signal }) });
  }
  const boundary = `hourglass-${crypto.randomUUID()}`;
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { ...headers, "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body: formOf(file, { name, boundary, onProgress }),
    duplex: "half",
    ...(signal === undefined ? {} : { signal }),
  };
  return upload.fetch(url, init);
}

interface Form {
  readonly name: string;
  readonly boundary: string;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** The bytes of a form with one file; what has been taken of it counts as sent. */
function formOf(file: Blob, { name, boundary, onProgress }: Form): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const safe = name
    .replaceAll("%", "%25")
    .replaceAll('"', "%22")
    .replaceAll(/[\r\n]/g, " ");
  const disposition = `Content-Disposition: form-data; name="file"; filename="${safe}"`;
  const head = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const reader = file.stream().getReader();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) {
        controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`));
        controller.close();
        return;
      }
      controller.enqueue(value);
      sent += value.length;
      onProgress({ sent, total: file.size });
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function sendByBrowser({ url, file, name = "file", headers, onProgress, signal }: Upload): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set("file", file, name);
    request.open("POST", url);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.({ sent: Math.min(loaded, file.size), total: file.size });
    request.onload = () =>
      resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }));
    request.onerror = () => reject(new TypeError("The upload broke off."));
    request.onabort = () => reject(new DOMException("The upload was aborted.", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split("\r\n");
  return new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
}
