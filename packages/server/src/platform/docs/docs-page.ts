/** The rendered reference: Swagger UI from our own server, so that it works without internet access. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Overture API</title>
    <link rel="icon" type="image/png" href="/docs/api/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/api/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/api/swagger-ui-bundle.js"></script>
    <script src="/docs/api/docs.js"></script>
  </body>
</html>
`

/** "Try it" sends requests to the server of the page; use a test key there. */
export const docsScript = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  filter: true,
  docExpansion: 'none',
})
`
