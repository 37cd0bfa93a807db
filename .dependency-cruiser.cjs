// The arrows between the parts: standalone → gateway, worker → services → analysis, posting → runtime → proto → npm.
const SERVICES = "auth|media|operation|insight|export";
/** Folders that hold a package, as a group: `services/auth`, `gateway`, … */
const PACKAGE = "^(gateway|proto|test|services/[^/]+)/";
/** A package's name from the place npm installed it. */
const npm = (names) => `node_modules/(${names})/`;

/** A part and what it may know of the others. */
const below = (part, allowed) => ({
  name: `${part.replace(/\W/g, "-")}-knows-only-what-is-below`,
  comment: `${part} may use: ${allowed || "nothing of ours"}`,
  severity: "error",
  from: { path: `^${part}/`, pathNot: ["\\.test\\.ts$", "/testing/"] },
  to: { path: PACKAGE, pathNot: [`^${part}/`, "node_modules", ...(allowed ? [`^(${allowed})/`] : [])] },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Types included: what two files need of each other belongs into a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "Nothing imports this file and it imports nothing: delete it, or use it.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: ["\\.d\\.ts$", "\\.test\\.ts$", "^proto/gen/", "^gateway/src/reference-page/", "/check-health\\.ts$"],
      },
      to: {},
    },
    below("proto", ""),
    below("services/runtime", "proto"),
    below("services/posting", "services/runtime|proto"),
    below("services/analysis", "services/runtime|proto"),
    below("services/demo", ""),
    below("services/training", "services/insight/(src|dist)/locations|services/analysis|services/runtime"),
    below("services/auth", "services/runtime|proto"),
    below("services/export", "services/posting|services/runtime|proto"),
    // Of the analyses it needs to know only what they can read, and what makes small pictures of it.
    below("services/media", "services/analysis/(src|dist)/(media/probe|previews)|services/runtime|proto"),
    below("services/insight", "services/posting|services/analysis|services/runtime|proto"),
    below("services/operation", "services/analysis|services/runtime|proto"),
    // Of the analyses it needs to know only their cards, and the limits of files.
    below("gateway", "services/analysis/(src|dist)/(cards|media/probe)|services/posting|services/runtime|proto"),
    below("services/worker", `services/(runtime|posting|analysis|${SERVICES})`),
    below("services/standalone", `gateway|proto|services/(runtime|posting|analysis|worker|${SERVICES})`),
    {
      name: "analyzers-know-no-other-analyzer",
      comment: "What two analyzers need lies below both, such as in vision, text or engines.",
      severity: "error",
      from: { path: "^services/analysis/src/analyzers/([^/]+)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^services/analysis/src/analyzers/", pathNot: "^services/analysis/src/analyzers/$1/" },
    },
    {
      name: "nothing-below-knows-an-analyzer",
      comment: "Engines, media, models, vision and text are chosen by the analyzers, never the other way round.",
      severity: "error",
      from: {
        path: "^services/analysis/src/(engines|media|models|text|vision)/",
        pathNot: "\\.test\\.ts$",
      },
      to: { path: "^services/analysis/src/(analyzers|pool|registry)/" },
    },
    {
      name: "console-knows-only-the-client",
      comment:
        "The console is one more client of the REST interface. It compares texts as the server does; its tests may read the examples of the server's document.",
      severity: "error",
      from: { path: "^gateway/console/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: PACKAGE,
        pathNot: ["^gateway/(client|console)/", "^services/runtime/(src|dist)/text/", "node_modules/"],
      },
    },
    {
      name: "parts-know-no-request",
      comment: "Parts and charts of the console show what they are given; screens read it, through data.",
      severity: "error",
      from: { path: "^gateway/console/src/(parts|charts)/", pathNot: "/(bars|deletion)\\.tsx?$" },
      to: { path: "^gateway/console/src/(data/(api|queries|server|account)\\.|screens/)" },
    },
    {
      name: "tests-only-in-tests",
      comment: "Test code may use everything; nothing may use test code, nor the fakes of platforms.",
      severity: "error",
      from: { path: PACKAGE, pathNot: ["^test/", "^services/demo/", "\\.test\\.tsx?$", "/testing/"] },
      to: { path: ["^test/", "^services/demo/", "\\.test\\.tsx?$", "/testing/", npm("vitest|fast-check|autocannon")] },
    },
    {
      name: "vendors-behind-ports",
      comment:
        "Databases, brokers and the wire are met through a port of services/runtime, so that they can be replaced there.",
      severity: "error",
      from: { path: "^(gateway|services)/", pathNot: ["^services/runtime/", "\\.test\\.ts$", "/testing/"] },
      to: { path: npm("libsql|mongodb|amqplib|@grpc/[^/]+|grpc-health-check|pino|prom-client") },
    },
    {
      name: "connect-in-its-folder",
      comment:
        "Only the folder that serves Connect and gRPC-web knows the library: the rest of the gateway speaks of calls.",
      severity: "error",
      from: {
        path: "^(gateway|services)/",
        pathNot: ["^gateway/src/connect/", "\\.test\\.ts$", "/testing/"],
      },
      to: { path: npm("@connectrpc/[^/]+") },
    },
    {
      name: "not-through-the-front-door",
      comment:
        "A file inside a package imports its neighbors, not the package's own index: that is how large cycles begin.",
      severity: "error",
      from: {
        path: "^(services/[^/]+|gateway)/src/.+",
        pathNot: ["\\.test\\.ts$", "/testing/"],
      },
      to: { path: "^$1/(src|dist)/index\\." },
    },
    {
      name: "only-through-the-front-door",
      comment: "Another package is imported by its name, never by a path into its folders.",
      severity: "error",
      from: { path: "^(gateway|proto|test|services/[^/]+)/" },
      to: { path: PACKAGE, pathNot: ["^$1/", "node_modules"], dependencyTypes: ["local"] },
    },
    {
      name: "declared-dependencies",
      comment: "What a package imports stands in its package.json; training is never installed for production.",
      severity: "error",
      from: {
        path: "^(gateway|services)/",
        // The build of the console puts what it needs into its files.
        pathNot: ["\\.test\\.ts$", "/testing/", "^services/training/", "^gateway/console/"],
      },
      to: { dependencyTypes: ["npm-no-pkg", "npm-dev", "npm-unknown", "unknown"] },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere would not be checked by the rules above.",
      severity: "error",
      from: {},
      // The build of the console makes a stylesheet of all.
      to: { couldNotResolve: true, pathNot: "^styles:all$" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/dist/"] },
    exclude: { path: "^proto/vendor/" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".d.ts", ".json"],
    },
  },
};
