import { request } from "node:http";
import { png } from "../support/png.js";
import { signIn, startBaseline, startHourglass } from "./child.js";
import { median, type Measurement } from "./measure.js";
import { startParts } from "./parts.js";

const UPLOAD = "/api/v2/products/api/operations/upload";
const UPLOADS = 8;
const FILE_BYTES = 50_000_000;
const ROUNDS = 5;
const RSS_MB_MAX = 60;
/** Time for a new server to finish its background loading. */
const SETTLE_MS = 8000;

interface Server {
  url: string;
  opsUrl: string;
  close(): Promise<void>;
}

/**
 * Concurrent large uploads to one process and to separate ones, compared with a bare server that writes bodies to
 * files.
 */
export async function measureUploads(): Promise<Measurement[]> {
  const oneProcess = await measure("one process", await startHourglass());
  return [...oneProcess, ...(await measure("separate processes", await startParts({}, { workers: 0 })))];
}

async function measure(where: string, hourglass: Server): Promise<Measurement[]> {
  const bare = await startBaseline("bare-upload");
  try {
    const authorization = await signIn(hourglass.url);
    const body = form();
    await pause(SETTLE_MS);
    const idleBytes = await residentBytes(hourglass.opsUrl);
    const memory = new MemoryWatch(hourglass.opsUrl);
    const pairs: { ours: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await megabytesPerSecond(hourglass.url, { body, authorization });
      pairs.push({ ours, bare: await megabytesPerSecond(bare.url, { body, authorization }) });
    }
    const grownMb = ((await memory.end()) - idleBytes) / 1e6;
    const describe = (speeds: number[]) => `${median(speeds).toFixed(0)} MB/s`;
    return [
      {
        name: `upload ${UPLOADS} × 50 MB, ${where}`,
        value: describe(pairs.map(({ ours }) => ours)),
        baseline: `bare http to a file ${describe(pairs.map(({ bare }) => bare))}`,
        ratio: median(pairs.map(({ ours, bare }) => ours / bare)),
        target: "≥ 0.50",
      },
      {
        name: `  memory of the gateway meanwhile, ${where}`,
        value: `+ ${grownMb.toFixed(0)} MB`,
        baseline: `idle ${(idleBytes / 1e6).toFixed(0)} MB`,
        target: `≤ + ${RSS_MB_MAX} MB`,
      },
    ];
  } finally {
    await Promise.all([hourglass.close(), bare.close()]);
  }
}

/** A boundary like that of browsers; shorter ones are slower to search for. */
const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

function form(): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.png"\r\n\r\n`),
    png({ ballast: FILE_BYTES }),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

interface Upload {
  body: Buffer;
  authorization: string;
}

async function megabytesPerSecond(url: string, upload: Upload): Promise<number> {
  const begin = performance.now();
  await Promise.all(Array.from({ length: UPLOADS }, () => send(url, upload)));
  return (UPLOADS * upload.body.length) / 1e6 / ((performance.now() - begin) / 1000);
}

function send(url: string, { body, authorization }: Upload): Promise<void> {
  const headers = {
    authorization,
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url + UPLOAD, { method: "POST", headers, agent: false }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve();
        else reject(new Error(`an upload was answered ${response.statusCode}`));
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

const LOOK_EVERY_MS = 100;

/** Samples a process's memory repeatedly. */
class MemoryWatch {
  private most = 0;
  private stopped = false;
  private readonly watching: Promise<void>;

  constructor(private readonly url: string) {
    this.watching = this.watch();
  }

  /** The peak, in bytes. */
  async end(): Promise<number> {
    this.stopped = true;
    await this.watching;
    return this.most;
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      this.most = Math.max(this.most, await residentBytes(this.url));
      await pause(LOOK_EVERY_MS);
    }
  }
}

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
