import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router, useLocation } from "preact-iso/router";
import { useEffect, useState } from "preact/hooks";
import { keepSession } from "./data/account.js";
import { useCommands, type Command } from "./data/commands.js";
import { watchConnection } from "./data/connection.js";
import { recordsFor } from "./data/records.js";
import { useMe } from "./data/server.js";
import { session } from "./data/session.js";
import { Broken } from "./parts/broken.js";
import { Frame } from "./parts/frame.js";
import { useKeys } from "./parts/keys.js";
import { KeysDialog } from "./parts/keys-dialog.js";
import { Palette } from "./parts/palette.js";
import { Toasts } from "./parts/toasts.js";
import { NotFound } from "./screens/not-found/not-found.js";
import { PLACES, SCREENS } from "./screens/screens.js";
import { SessionEnded } from "./screens/sign-in/session-ended.js";
import { SignIn } from "./screens/sign-in/sign-in.js";
import { words } from "./words/words.js";

/** What the server answers itself: the router leaves such links to the browser. */
const IN_SCOPE = /^\/(?!api\/|docs|openapi\.json|assets\/)/;

/** The console: a sign-in, or the frame with the screen of the address. */
export function App() {
  return (
    <LocationProvider scope={IN_SCOPE}>
      <Entrance />
      <Toasts />
    </LocationProvider>
  );
}

function Entrance() {
  const { path, url, query, route } = useLocation();
  const state = session.state.value;
  const isSignIn = path === "/sign-in";
  useEffect(() => {
    if (state === "signed-out" && !isSignIn) {
      route(url === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(url + location.hash)}`, true);
    } else if (state === "signed-in" && isSignIn) {
      route(safeNext(query["next"]), true);
    }
  }, [state, isSignIn]);
  if (state === "unknown") return null;
  if (state === "signed-out") return isSignIn ? <SignIn /> : null;
  if (isSignIn && state === "signed-in") return null;
  return <Inside />;
}

/** Where a sign-in leads: an address of the console, whatever the parameter says. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith("/")) return "/";
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  if (origin !== location.origin || !IN_SCOPE.test(pathname) || pathname.startsWith("/sign-in")) return "/";
  return pathname + search + hash;
}

function Inside() {
  const { path, route } = useLocation();
  const { data: me } = useMe();
  const [shown, setShown] = useState<"none" | "keys" | "palette">("none");
  const close = (): void => setShown("none");
  useEffect(() => keepSession(), []);
  useEffect(() => watchConnection(), []);
  usePaletteKey(() => setShown((before) => (before === "palette" ? "none" : "palette")));
  useKeys(
    [
      { keys: "?", label: words.keys.help, run: () => setShown("keys") },
      ...PLACES.map(({ keys, label, href }) => ({ keys, label: words.keys.to(label()), run: () => route(href) })),
    ],
    "everywhere",
  );
  useCommands(
    PLACES.map(({ href, label, keys }): Command => ({
      id: href,
      group: words.keys.screens,
      label: label(),
      hint: keys,
      href,
    })),
  );
  const name = [me?.first_name, me?.last_name].filter(Boolean).join(" ");
  return (
    <Frame
      path={path}
      products={me?.company.products.filter(({ active }) => active).map(({ uid }) => uid)}
      who={name === "" ? (session.account.value?.email ?? "") : name}
      company={me?.company.name ?? ""}
      onSearch={() => setShown("palette")}
      onKeys={() => setShown("keys")}
    >
      <ErrorBoundary>
        <Broken key={path}>
          <Router>
            {SCREENS.map(({ path: at, component }) => (
              <Route key={at} path={at} component={component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </Broken>
      </ErrorBoundary>
      {shown === "keys" ? <KeysDialog onClose={close} /> : null}
      {shown === "palette" ? <Palette onClose={close} onGo={route} records={recordsFor()} /> : null}
      {session.state.value === "expired" ? <SessionEnded /> : null}
    </Frame>
  );
}

/** Ctrl K works everywhere, in fields, too. */
function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
