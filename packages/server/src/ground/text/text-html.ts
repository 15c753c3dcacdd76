import { compile } from 'html-to-text'
import { Parser } from 'htmlparser2'

/** Elements within one another: more than any mail has, and few enough to be walked through. */
const depthMax = 200

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

/** HTML that is nested too deeply to be read as a text. */
export class NestingError extends RangeError {
  override readonly name = 'NestingError'
}

/** The plain-text part of an HTML body; links keep their address in brackets. Throws `NestingError`. */
export function htmlToText(html: string): string {
  if (isTooDeep(html)) throw new NestingError('The HTML is nested too deeply.')
  return toText(html).replaceAll('\u00a0', ' ').trim()
}

// By the parser that the conversion uses, which takes ever longer the deeper it is: what is too deep is not read on.
function isTooDeep(html: string): boolean {
  let depth = 0
  let isOver = false
  const parser = new Parser({
    onopentag() {
      depth += 1
      if (depth <= depthMax) return
      isOver = true
      parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.write(html)
  return isOver
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
