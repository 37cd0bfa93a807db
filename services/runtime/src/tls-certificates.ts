import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigError } from "./config/variables.js";
import type { Logger } from "./log.js";
import { repeat, type Stoppable } from "./process/repetition.js";

/**
 * PEM files. A server needs `certFile` and `keyFile`, and with `clientCerts` accepts only clients with a certificate
 * from the authority in `caFile`. A client trusts that authority, or those of Node if absent, and presents `certFile`
 * if set. With `caFile` alone, a process can call others over TLS but cannot serve.
 */
export interface TlsFiles {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly clientCerts?: boolean | undefined;
}

/** What the files hold. */
interface TlsContents {
  readonly certificate: Buffer | null;
  readonly key: Buffer | null;
  readonly authority: Buffer | null;
}

const LOOK_EVERY_MS = 10_000;

/** Certificates of a process, which are read again when their files change. */
export class Certificates {
  private readonly listeners = new Set<() => void>();

  private constructor(
    private readonly files: TlsFiles,
    private contents: TlsContents,
  ) {}

  /** Reads the files. Throws ConfigError with the name of the variable whose file cannot be used. */
  static async read(files: TlsFiles): Promise<Certificates> {
    return new Certificates(files, await readFiles(files));
  }

  /** What is in use: the last contents that could be used. */
  get current(): TlsContents {
    return this.contents;
  }

  /** Calls the listener after each change. */
  listen(listener: () => void): void {
    this.listeners.add(listener);
  }

  unlisten(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /**
   * Reads the files again; true if they have changed. Throws ConfigError, and keeps what is in use, if they cannot
   * be used: a certificate and its key may be replaced one after the other.
   */
  async reload(): Promise<boolean> {
    const read = await readFiles(this.files);
    if (isSame(read, this.contents)) return false;
    this.contents = read;
    for (const listener of this.listeners) listener();
    return true;
  }

  /** When the certificates in use end, in milliseconds since the epoch, by the variable that names their file. */
  expiries(): ReadonlyMap<string, number> {
    const { certificate, authority } = this.contents;
    return new Map(
      [["TLS_CERT_FILE", certificate] as const, ["TLS_CA_FILE", authority] as const].flatMap(([variable, pem]) =>
        pem === null ? [] : [[variable, Date.parse(new X509Certificate(pem).validTo)] as const],
      ),
    );
  }
}

const shared = new WeakMap<TlsFiles, Promise<Certificates>>();

/** The certificates of a configuration, which its servers and clients share. */
export function certificatesOf(files: TlsFiles): Promise<Certificates> {
  const known = shared.get(files);
  if (known !== undefined) return known;
  const read = Certificates.read(files);
  shared.set(files, read);
  read.catch(() => shared.delete(files));
  return read;
}

/** Follows changes of the files: new connections use them within ten seconds. */
export function watchCertificates(certificates: Certificates, log: Logger): Stoppable {
  let problem = "";
  return repeat(
    async () => {
      try {
        if (await certificates.reload()) log.info("new certificates are in use");
        problem = "";
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // Once for each problem, which may last until an operator repairs it.
        if (reason !== problem) log.error({ reason }, "changed certificates cannot be used, the old ones stay in use");
        problem = reason;
      }
      return LOOK_EVERY_MS;
    },
    { firstMs: LOOK_EVERY_MS },
  );
}

function isSame(a: TlsContents, b: TlsContents): boolean {
  const pairs = [
    [a.certificate, b.certificate],
    [a.key, b.key],
    [a.authority, b.authority],
  ] as const;
  return pairs.every(([one, other]) => one === other || (one !== null && other !== null && one.equals(other)));
}

async function readFiles({ certFile, keyFile, caFile }: TlsFiles): Promise<TlsContents> {
  const [certificate, key, authority] = await Promise.all([
    read("TLS_CERT_FILE", certFile),
    read("TLS_KEY_FILE", keyFile),
    read("TLS_CA_FILE", caFile),
  ]);
  requirePem("TLS_CERT_FILE and TLS_KEY_FILE", () =>
    createSecureContext({ cert: certificate ?? undefined, key: key ?? undefined }),
  );
  // A secure context accepts any text as an authority, and then trusts no certificate.
  if (authority !== null) requirePem("TLS_CA_FILE", () => new X509Certificate(authority));
  return { certificate, key, authority };
}

async function read(variable: string, file: string | undefined): Promise<Buffer | null> {
  if (file === undefined) return null;
  try {
    return await readFile(file);
  } catch (error) {
    throw new ConfigError(`Wrong configuration: ${variable} is "${file}", which cannot be read (${reason(error)})`);
  }
}

/** Checks a PEM file early, so that the error names its variable instead of appearing as a failed handshake. */
function requirePem(variables: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new ConfigError(`Wrong configuration: ${variables} cannot be used (${reason(error)})`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
