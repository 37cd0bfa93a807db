/** The page at `/docs`: Swagger UI on `/openapi.json`. Paths are relative, so that it works behind a path prefix. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hourglass: try it</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="page"></div>
    <noscript
      >This page needs JavaScript. The document it shows is at <a href="openapi.json">openapi.json</a>.</noscript
    >
    <script src="docs/swagger-ui-bundle.js"></script>
    <script type="module" src="docs/docs.js"></script>
  </body>
</html>
`;
