// Shows openapi.json. After a sign-in, the token in the response authorizes all further requests of the page.

/** A response to a request of the page. */
interface Answer {
  ok: boolean;
  headers?: Readonly<Record<string, unknown>>;
}

interface SwaggerUi {
  authActions: {
    authorizeWithPersistOption(credentials: Record<string, unknown>): void;
  };
}

/** The global that `swagger-ui-bundle.js` defines; the types on npm have neither its presets nor its actions. */
declare const SwaggerUIBundle: {
  (options: Record<string, unknown> & { responseInterceptor: (answer: Answer) => Answer }): SwaggerUi;
  readonly presets: { readonly apis: unknown };
};

const page = SwaggerUIBundle({
  url: "../openapi.json",
  dom_id: "#page",
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  responseInterceptor: (answer) => {
    const authorization = answer.headers?.["authorization"];
    if (answer.ok && typeof authorization === "string") {
      const value = authorization.replace(/^Bearer /i, "");
      page.authActions.authorizeWithPersistOption({
        token: { name: "token", schema: { type: "http", scheme: "bearer" }, value },
      });
    }
    return answer;
  },
});
