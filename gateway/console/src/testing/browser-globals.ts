// What modules of the console expect of a browser when they are loaded. A test that runs in Node imports this first.

const page = new URL("http://localhost/");

const GLOBALS: Readonly<Record<string, unknown>> = {
  location: page,
  addEventListener: () => undefined,
  document: undefined,
  matchMedia: () => ({ matches: false }),
};

for (const [name, value] of Object.entries(GLOBALS)) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Lets the page stand at an address. */
export function standAt(address: string): void {
  page.href = new URL(address, page.origin).href;
}
