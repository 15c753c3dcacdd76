import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

/** Where the pages are put other than on a server, which has them below `/docs/` and the API beside them. */
const elsewhere = process.env['DOCS_BASE']

// Laid by the build, which runs in this process.
const pages = `dist.pages.${process.pid}`
const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, '..', pages, 'sidebar.json'), 'utf8')) as {
  text: string
}[]

export default defineConfig({
  title: 'Overture',
  description: 'Self-hosted outbound campaigns that never send twice and always say why.',
  lang: 'en',
  base: elsewhere ?? '/docs/',
  srcDir: pages,
  cacheDir: 'dist.cache',
  cleanUrls: true,
  lastUpdated: false,
  // A link that leads nowhere must fail the build, except links to pages that the server makes.
  ignoreDeadLinks: [/^\/docs\/api$/, /^\/openapi/, /^\/app/, /^\/llms/],
  markdown: {
    // Text that looks like HTML is shown as text.
    html: false,
    theme: { light: 'github-light', dark: 'github-dark' },
    config(md) {
      // Two braces begin a variable of an email template, not one of the site's own.
      const { text, code_inline: code } = md.renderer.rules
      md.renderer.rules.text = (...given) => text!(...given).replaceAll('{{', '<span v-pre>{{</span>')
      md.renderer.rules.code_inline = (...given) => code!(...given).replace(/^<code/, '<code v-pre')
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/first-campaign' },
      { text: 'Reference', link: '/reference/campaigns' },
      ...(elsewhere === undefined ? [{ text: 'Try the API', link: '/api', target: '_self' }] : []),
    ],
    sidebar,
    outline: [2, 2],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boost: { title: 4 } } } } },
    docFooter: { prev: 'Before', next: 'Next' },
  },
})
