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
      page.preauthorizeApiKey("token", authorization.replace(/^Bearer /i, ""));
    }
    return response;
  },
});
