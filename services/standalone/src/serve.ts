import { runProcess } from "@hourglass/runtime";
import { STANDALONE_SETTINGS } from "./config.js";
import { startStandalone, type Standalone } from "./start.js";

/** Entry point of `npm start`: the whole product in this process. */
runProcess({ name: "standalone", settings: STANDALONE_SETTINGS }, async (foundation) => {
  const server = await startStandalone(foundation);
  process.stdout.write(banner(server, foundation.config.auth.bootstrap.email));
});

/** For the person at the terminal: the address, the first user, and an example request to paste. */
function banner({ url, bootstrap }: Standalone, email: string): string {
  return [
    "",
    `  Hourglass    ${url}`,
    `  Interface    ${url}/docs`,
    `  First user   ${email}`,
    `  Password     ${whichPassword(bootstrap, email)}`,
    "",
    "  A first request:",
    "",
    `  BASE=${url} PASSWORD=${passwordInShell(bootstrap)}`,
    `  TOKEN=$(curl -fsSi $BASE/api/v1/users/sign_in -H 'Content-Type: application/json' \\`,
    `    -d "{\\"user\\":{\\"email\\":\\"${email}\\",\\"password\\":\\"$PASSWORD\\"}}" \\`,
    `    | tr -d '\\r' | sed -n 's/^[Aa]uthorization: Bearer //p')`,
    `  ID=$(curl -fsS $BASE/api/v2/products/api/operations -H "Authorization: Bearer $TOKEN" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"text","analyses":["sentiment-simple","topic"],"contents":["I love the new museum in Lisbon!"]}' \\`,
    `    | node -p 'JSON.parse(fs.readFileSync(0)).id')`,
    `  curl -fsS "$BASE/api/v2/products/api/operations/$ID?wait=60" -H "Authorization: Bearer $TOKEN"`,
    "",
    "",
  ].join("\n");
}

function whichPassword(bootstrap: Standalone["bootstrap"], email: string): string {
  if (bootstrap === undefined) {
    return `the one chosen or shown at the first start; a new one: npm run -s admin -- user set-password --email ${email}`;
  }
  return bootstrap.generated ? `${bootstrap.password}   (shown once, keep it)` : "as in BOOTSTRAP_PASSWORD";
}

function passwordInShell(bootstrap: Standalone["bootstrap"]): string {
  if (bootstrap === undefined) return "'yours'";
  return bootstrap.generated ? `'${bootstrap.password}'` : '"$BOOTSTRAP_PASSWORD"';
}
