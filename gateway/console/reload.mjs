// Only `npm run dev` puts this into the console: loads the page again once the server has another one. The page names its
// scripts and styles by their hashes, so it differs whenever they do.
const EVERY_MS = 1_000;

let shown;

setInterval(() => void look(), EVERY_MS);

async function look() {
  if (globalThis.document.hidden) return;
  // While the server restarts there is no answer, or one of a server that is not ready.
  const response = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" }).catch(() => undefined);
  if (response?.ok !== true) return;
  const page = await response.text();
  shown ??= page;
  if (page !== shown) globalThis.location.reload();
}
