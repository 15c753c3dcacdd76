import { compile } from 'html-to-text'

const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Whether a body was written as HTML: it has a tag. */
export function isHtml(body: string): boolean {
  return /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|<!doctype|<!--/i.test(body)
}

/** The plain-text part of an HTML body; links keep their address in brackets. */
export function htmlToText(html: string): string {
  return toText(html).replaceAll('\u00a0', ' ').trim()
}

/** The HTML part of a plain-text body: paragraphs, line breaks, links. */
export function textToHtml(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linkify(paragraph).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function linkify(text: string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g)) {
    const url = escapeHtml(match[0])
    html += `${escapeHtml(text.slice(from, match.index))}<a href="${url}">${url}</a>`
    from = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(from))
}
