import { readHtmlPieces } from '@overture/ground/text/html-pieces.ts'
import { unescapeHtml } from '@overture/ground/text/text-html.ts'

/** The links and pixels of our message that a mail program or a gateway would fetch. */
export function findLinks(html: string): { pixels: string[]; clicks: string[] } {
  const sources = [...html.matchAll(/<img\b[^>]*?\bsrc="([^"]{1,4000})"/gi)].map((match) =>
    unescapeHtml(match[1] ?? ''),
  )
  const targets = readHtmlPieces(html).links.map(({ address }) => address)
  return {
    pixels: sources.filter((url) => readToken(url, '/o/')),
    clicks: targets.filter((url) => readToken(url, '/c/')),
  }
}

/** The https or http target of List-Unsubscribe, or null if there is none. */
export function findUnsubscribeUrl(raw: Buffer): string | null {
  const text = raw.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const headers = text.slice(0, end === -1 ? undefined : end).replaceAll(/\r\n[ \t]+/g, ' ')
  const field = /^list-unsubscribe:(.*)$/im.exec(headers)?.[1] ?? ''
  return /<\s*(https?:\/\/[^>\s]+)\s*>/i.exec(field)?.[1] ?? null
}

/** The token of `/o/TOKEN`, `/c/TOKEN` or `/u/TOKEN`; null for other addresses. */
export function readToken(url: string, prefix: '/o/' | '/c/' | '/u/'): string | null {
  if (!URL.canParse(url)) return null
  const { pathname } = new URL(url)
  const start = pathname.lastIndexOf(prefix)
  const token = start === -1 ? '' : pathname.slice(start + prefix.length).replace(/\/+$/, '')
  return token === '' || token.includes('/') ? null : decodeURIComponent(token)
}
