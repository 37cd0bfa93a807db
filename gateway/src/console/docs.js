// Shows openapi.json. After a sign-in, the token of its answer serves all further requests of the page.
const page = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  responseInterceptor: (response) => {
    const authorization = response.headers?.authorization;
    if (response.ok && typeof authorization === "string") {
      const value = authorization.replace(/^Bearer /i, "");
      page.authActions.authorizeWithPersistOption({
        token: { name: "token", schema: { type: "http", scheme: "bearer" }, value },
      });
    }
    return response;
  },
});
