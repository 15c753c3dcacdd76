/** Shown while the console is being built. It has no script; the browser reloads it after the time in the response's header. */
export const buildingPage = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Overture is being prepared</title>
</head><body><main><h1>The console is being prepared</h1>
<p>This happens once after an update and takes a few seconds. The page opens by itself.</p></main></body></html>
`

/** Shown if the build failed. The API works nevertheless. */
export const failedPage = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>The console could not be built</title></head><body><main><h1>The console could not be built</h1>
<p>The server's log says why. The API works all the same: its reference is at <a href="/docs/api">/docs/api</a>.</p></main></body></html>
`
