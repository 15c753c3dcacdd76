import type { ReplyEnd } from './source/reply.ts'
import { isHtml } from '@overture/ground/text/is-html.ts'

/** The body of a reply, from the source that its editor wrote. The code is loaded with the first reply that is sent. */
export async function replyBody(source: string, end: ReplyEnd): Promise<{ text?: string; html?: string }> {
  const { signedReplyBody: signedReplyOf } = await import('./source/reply.ts')
  return signedReplyOf(source, end)
}

interface FilledTemplate {
  /** The template. */
  body: string
  text: string
  html: string | null
}

/** The source of a template that was filled for a lead: with its formatting if the editor can show it. */
export async function filledSource({ body, text, html }: FilledTemplate): Promise<string> {
  if (html === null || !isHtml(body)) return text.trim()
  const { parseSource } = await import('./source/parse-source.ts')
  return parseSource(html, { liquid: false }).kind === 'document' ? html : text.trim()
}
