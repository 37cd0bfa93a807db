/** A port to open, and the variable that configures it. */
export interface PortPlace {
  host: string;
  port: number;
  variable: "PORT" | "GRPC_PORT" | "OPS_PORT";
}

/** Waits until a port is open; a failure becomes one sentence for the operator that names the variable to change. */
export async function openPort<T>(opening: Promise<T>, place: PortPlace): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw new Error(explain(error, place), { cause: error });
  }
}

function explain(error: unknown, { host, port, variable }: PortPlace): string {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use by another program: stop that, or set ${variable} to a port that is free.`;
    case "EACCES":
      return `this user may not open port ${port}: set ${variable} to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `this machine has no address ${host}: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return `port ${port} of ${host} (${variable}) cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Node's error code, also if the error is wrapped by a library. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as NodeJS.ErrnoException;
  if (typeof code === "string") return code;
  return cause === undefined
    ? /\b(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND)\b/.exec(error.message)?.[1]
    : codeOf(cause);
}
