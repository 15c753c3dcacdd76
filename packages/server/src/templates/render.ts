import type { CustomVariables, LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import { renderTemplate, type Scope, type TemplateResult } from './template.ts'
import { escapeHtml, htmlToText, isHtml, textToHtml, unescapeHtml } from '../ground/text/text-html.ts'

/** Fields of a lead that templates may name (docs/contract.md, "Campaigns" and "Leads"). Blank and null both count as missing. */
export interface LeadVariables extends Omit<LeadProfile, 'personId'> {
  email: string
  customVariables: CustomVariables
}

export interface SenderVariables {
  email: string
  fromName: string
  signature: string | null
}

export interface RenderInput {
  /** Lead and step: decides spintax, so that a preview is what is sent. */
  seed: string
  subject: string
  body: string
  lead: LeadVariables
  sender: SenderVariables
  unsubscribeUrl: string
  meetingUrl: string | null
  textOnly: boolean
  /** `link`: an opt-out line where the body has no link of its own. */
  unsubscribe: 'link' | 'header_only'
  /** Stands in both parts of live messages. */
  postalAddress: string | null
  /** Subject of the thread that is answered; null begins a new one. */
  threadSubject: string | null
  openPixelUrl: string | null
  /** Makes the tracked address of a link; null leaves links alone. */
  trackLink: ((url: string) => string) | null
}

export type RenderResult =
  | { kind: 'rendered'; subject: string; text: string; html: string | null }
  | { kind: 'missing_variable'; names: string[] }
  | { kind: 'template_error'; message: string }

/** The content of one campaign message. Source: docs/contract.md, "Campaigns". */
export function renderMessage(input: RenderInput): RenderResult {
  const scope = variables(input)
  const asHtml = isHtml(input.body)
  const subject =
    input.threadSubject === null ? renderTemplate(input.subject, scope, { seed: input.seed, html: false }) : null
  const body = renderTemplate(input.body, scope, { seed: input.seed, html: asHtml })
  const refused = refusal([subject, body])
  if (refused !== null) return refused
  const line = input.threadSubject === null ? textOf(subject) : replySubject(input.threadSubject)
  const parts = assemble(input, textOf(body), asHtml)
  return { kind: 'rendered', subject: oneLine(line), text: parts.text, html: input.textOnly ? null : parts.html }
}

/** `Re: ` once, however often the thread was answered. */
export function replySubject(subject: string): string {
  return /^\s*re\s*:/i.test(subject) ? subject.trim() : `Re: ${subject.trim()}`
}

/** Renders a stored template alone (templates' preview), without footers. */
export function renderParts(template: { subject: string; body: string }, scope: Scope, seed: string): RenderResult {
  const asHtml = isHtml(template.body)
  const subject = renderTemplate(template.subject, scope, { seed, html: false })
  const body = renderTemplate(template.body, scope, { seed, html: asHtml })
  const refused = refusal([subject, body])
  if (refused !== null) return refused
  const content = textOf(body)
  return {
    kind: 'rendered',
    subject: oneLine(textOf(subject)),
    text: asHtml ? htmlToText(content) : content,
    html: asHtml ? content : textToHtml(content),
  }
}

export function leadScope(lead: LeadVariables): Scope {
  return { ...lead }
}

function variables(input: RenderInput): Scope {
  return {
    ...leadScope(input.lead),
    sender: { email: input.sender.email, fromName: input.sender.fromName, signature: input.sender.signature },
    unsubscribeUrl: input.unsubscribeUrl,
    meetingUrl: input.meetingUrl,
  }
}

function refusal(results: readonly (TemplateResult | null)[]): Exclude<RenderResult, { kind: 'rendered' }> | null {
  const names = new Set<string>()
  for (const result of results) {
    if (result?.kind === 'template_error') return result
    if (result?.kind === 'missing_variable') for (const name of result.names) names.add(name)
  }
  return names.size === 0 ? null : { kind: 'missing_variable', names: [...names] }
}

function textOf(result: TemplateResult | null): string {
  return result?.kind === 'rendered' ? result.text : ''
}

function assemble(input: RenderInput, content: string, asHtml: boolean): { text: string; html: string } {
  const body = content.replaceAll('\r\n', '\n').trim()
  const text = [asHtml ? htmlToText(body) : body]
  const html = [asHtml ? body : textToHtml(body)]
  if (input.sender.signature !== null && !input.body.includes('sender.signature'))
    addSignature(input.sender.signature, text, html)
  if (input.unsubscribe === 'link' && !body.includes(input.unsubscribeUrl)) {
    text.push(`Unsubscribe: ${input.unsubscribeUrl}`)
    html.push(`<p style="font-size:12px;color:#666"><a href="${escapeHtml(input.unsubscribeUrl)}">Unsubscribe</a></p>`)
  }
  if (input.postalAddress !== null) {
    text.push(input.postalAddress)
    html.push(`<p style="font-size:12px;color:#666">${escapeHtml(input.postalAddress).replaceAll('\n', '<br>')}</p>`)
  }
  return { text: text.join('\n\n'), html: track(input, joinHtml(html)) }
}

function addSignature(signature: string, text: string[], html: string[]): void {
  if (signature.trim() === '') return
  text.push(isHtml(signature) ? htmlToText(signature) : signature.trim())
  html.push(isHtml(signature) ? signature : textToHtml(signature))
}

// Footers belong inside the document's body, where there is one.
function joinHtml([body = '', ...footers]: string[]): string {
  if (footers.length === 0) return body
  const end = body.toLowerCase().lastIndexOf('</body>')
  const footer = footers.join('\n')
  return end < 0 ? `${body}\n${footer}` : `${body.slice(0, end)}${footer}\n${body.slice(end)}`
}

function track(input: RenderInput, html: string): string {
  const { trackLink, openPixelUrl, unsubscribeUrl } = input
  let tracked = html
  if (trackLink !== null) {
    tracked = tracked.replaceAll(
      /(<a\b[^>]*?\shref\s*=\s*)(["'])(https?:[^"']+)\2/gi,
      (whole, before: string, quote: string, url: string) => {
        const target = unescapeHtml(url)
        return target === unsubscribeUrl ? whole : `${before}${quote}${escapeHtml(trackLink(target))}${quote}`
      },
    )
  }
  if (openPixelUrl === null) return tracked
  return joinHtml([tracked, `<img src="${escapeHtml(openPixelUrl)}" width="1" height="1" alt="" style="border:0">`])
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0\u0085\u2028\u2029\s]+/g, ' ').trim()
}
