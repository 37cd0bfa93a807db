import { runDemo } from "./demo.js";
import { DemoError, readOptions, USAGE } from "./options.js";

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    process.stderr.write("Ending …\n");
    ended.abort();
  });
}

/** Entry point of `npm run demo`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  await runDemo(options, { report, print: (text) => void process.stdout.write(text) }, ended.signal);
}

try {
  await main();
} catch (error) {
  // The signal makes fail what the demo was doing; that is no failure of the demo.
  if (!ended.signal.aborted) {
    if (!(error instanceof DemoError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
