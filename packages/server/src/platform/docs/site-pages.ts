import type { DocPage } from './doc-pages.ts'

/** The content security policy of the site's pages: files from their own server, and the inline scripts that the build wrote. */
export function sitePolicy(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const words = {
  building:
    'The documentation site is being built, which happens once after an update. It takes half a minute. This page then opens it.',
  failed: 'The documentation site could not be built. See the log of the server.',
  absent: 'The documentation site is not built. Run <code>npm run docs</code> in a clone to build it.',
} as const

/** A page to show while the site is missing: the list of the Markdown pages. */
export function contentsPage(why: keyof typeof words, pages: readonly DocPage[]): string {
  const items = pages.map(
    ({ name, title, summary }) => `<li><a href="/docs/${name}.md">${escaped(title)}</a> ${escaped(summary)}</li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Overture: documentation</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
li{margin:.5rem 0}</style></head><body><main><h1>Overture: documentation</h1>
<p>${words[why]}</p>
<p>Every operation can be tried in a browser: <a href="/docs/api">the API</a>. The pages as they were written:</p>
<ul>
${items.join('\n')}
</ul></main></body></html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
