/**
 * Health check of a container, as a file because some engines split commands at blanks: exits with 0 if the process on
 * this machine responds to the path with success, otherwise with 1.
 *   node services/standalone/dist/check-health.js [/readyz]    default: /healthz
 */
const { OPS_PORT, PORT } = process.env;
const [path = "/healthz"] = process.argv.slice(2);
const port = [OPS_PORT, PORT].find((each) => each !== undefined && each !== "") ?? "8080";

const isHealthy = await fetch(`http://127.0.0.1:${port}${path}`).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isHealthy ? 0 : 1;
