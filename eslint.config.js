import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const TESTS = ["**/*.test.{ts,tsx}", "test/**/*.ts"];
const SCRIPTS = ["**/*.mjs", "**/*.cjs", "**/*.js"];

export default defineConfig(
  globalIgnores(["**/dist/", "**/node_modules/", "proto/gen/", "gateway/client/src/api.ts", "proto/vendor/", "data/"]),
  // Compiled against types that are generated in CI.
  globalIgnores(["test/clients/typescript/*.ts"]),
  // A rule that is wrong is turned off here, for everybody and with its reason; not in a comment beside the code.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" } },
  eslint.configs.recommended,
  {
    rules: {
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "ExportDefaultDeclaration",
          message: "Export by name, so that a thing is called the same everywhere.",
        },
        {
          selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier[imported.name='z']",
          message:
            "Import * as z: a bundle then leaves out zod's messages in fifty languages, which every start reads.",
        },
      ],
      eqeqeq: ["error", "always"],
      "prefer-const": "error",
      "object-shorthand": "error",
      "no-implicit-coercion": "error",
    },
  },
  {
    files: ["{gateway,services,test}/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      // `env["PORT"]`: a key that may be missing looks like one.
      "@typescript-eslint/dot-notation": ["error", { allowIndexSignaturePropertyAccess: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // `while (true)` around an await is how a worker loop reads best.
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // Hot loops over typed arrays know their bounds; `noUncheckedIndexedAccess` makes them say so.
      "@typescript-eslint/no-non-null-assertion": "off",
      // An adapter fulfills an asynchronous port with synchronous means.
      "@typescript-eslint/require-await": "off",
      // `() => void f()` says that a result is dropped, whatever it is.
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // Spreading a string gives its code points, which is what the interface counts.
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      // `interface` for what is implemented, `type` for what is composed: both have their place.
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true, boolean: true } }],
    },
  },
  {
    files: TESTS,
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      // Ports are taken apart by name; none of their methods uses `this` of the whole.
      "@typescript-eslint/unbound-method": "off",
    },
  },
  // Training and evaluation talk to the person at the terminal; the product talks through its log.
  { files: ["services/training/src/report.ts"], rules: { "no-console": "off" } },
  { files: ["*.ts"], languageOptions: { parser: tseslint.parser } },
  {
    files: SCRIPTS,
    languageOptions: {
      globals: {
        process: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
        fetch: "readonly",
        URL: "readonly",
        AbortSignal: "readonly",
        AbortController: "readonly",
        Blob: "readonly",
        FormData: "readonly",
        performance: "readonly",
      },
    },
  },
  // For mongosh.
  {
    files: ["services/deploy/compose/*.js"],
    languageOptions: { globals: { db: "readonly", quit: "readonly", require: "readonly", rs: "readonly" } },
  },
  { files: ["**/*.cjs"], languageOptions: { globals: { module: "writable", require: "readonly" } } },
  // Tools ask for a default export in their settings; nobody else gets one.
  {
    files: ["*.config.js", "**/*.config.ts", "docs/.vitepress/config.mjs", ".dependency-cruiser.cjs"],
    rules: { "no-restricted-syntax": "off" },
  },
);
