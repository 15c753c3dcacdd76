import { replySubject } from '@overture/ground/text/reply-subject.ts'
import {
  isForTexts,
  profileFields,
  type CustomVariables,
  type LeadProfile,
  type RecordField,
} from '@overture/contract/campaigns/lead-fields.ts'
import { describe, type Scope } from './dialect.ts'
import { noticeParts, type PrivacyNotice } from './privacy-notice.ts'
import { renderTemplate, type TemplateResult } from './template.ts'
import { readHtmlPieces } from '@overture/ground/text/html-pieces.ts'
import { isHtml } from '@overture/ground/text/is-html.ts'
import { escapeHtml, partsOfHtml, textToHtml } from '@overture/ground/text/text-html.ts'

/** Fields of a lead that templates may use (docs/contract.md, "Campaigns" and "Leads"). Blank and null both count as missing. */
export interface LeadVariables extends Omit<LeadProfile, RecordField> {
  email: string
  customVariables: CustomVariables
}

export interface SenderVariables {
  email: string
  fromName: string
  signature: string | null
}

export interface RenderInput {
  /** Lead and step. The seed decides spintax, so that a preview equals the sent message. */
  seed: string
  /** The texts of a variant or template. Inputs that share this object are passed to a thread with one copy of it. */
  template: { subject: string; body: string }
  lead: LeadVariables
  sender: SenderVariables
  unsubscribeUrl: string
  meetingUrl: string | null
  textOnly: boolean
  /** With `link`, an opt-out line is added if the body has no opt-out link. */
  unsubscribe: 'link' | 'header_only'
  /** Included in both parts of live messages. */
  postalAddress: string | null
  /** Included in both parts of the first message. */
  privacyNotice?: PrivacyNotice | null
  /** The subject of the thread that the message continues; null begins a new thread. */
  threadSubject: string | null
  openPixelUrl: string | null
  /** Whether to return the places of links. */
  trackLinks: boolean
}

/** A link's address: its position in the HTML from `start` to `end`, and its decoded URL. */
interface LinkPlace {
  start: number
  end: number
  url: string
}

export type RenderResult =
  | { kind: 'rendered'; subject: string; text: string; html: string | null; links: LinkPlace[] }
  | { kind: 'missing_variable'; names: string[] }
  | { kind: 'template_error'; message: string }

const subjectLengthMax = 2_000
const contentLengthMax = 100_000

/** Renders the content of one campaign message. Source: docs/contract.md, "Campaigns". */
export function renderMessage(input: RenderInput): RenderResult {
  return unlessFaulty(() => {
    const { template, seed, threadSubject } = input
    const scope = variables(input)
    const asHtml = isHtml(template.body)
    const subject = threadSubject === null ? renderTemplate(template.subject, scope, { seed, html: false }) : null
    const body = renderTemplate(template.body, scope, { seed, html: asHtml })
    const refused = refusal([subject, body])
    if (refused !== null) return refused
    const line = threadSubject === null ? resultText(subject) : replySubject(threadSubject)
    const { text, html } = assemble(input, splitParts(resultText(body), asHtml))
    if (input.textOnly) return { kind: 'rendered', subject: oneLine(line), text, html: null, links: [] }
    const links = input.trackLinks ? linksIn(html, [input.unsubscribeUrl, input.privacyNotice?.url]) : []
    return { kind: 'rendered', subject: oneLine(line), text, html, links }
  })
}

/** Renders a stored template without footers, for the preview of templates. */
export function renderParts(template: { subject: string; body: string }, scope: Scope, seed: string): RenderResult {
  return unlessFaulty(() => {
    const asHtml = isHtml(template.body)
    const subject = renderTemplate(template.subject, scope, { seed, html: false })
    const body = renderTemplate(template.body, scope, { seed, html: asHtml })
    const refused = refusal([subject, body])
    if (refused !== null) return refused
    const content = resultText(body)
    const parts = asHtml ? splitParts(content, asHtml) : { text: content, html: textToHtml(content) }
    return { kind: 'rendered', subject: oneLine(resultText(subject)), text: parts.text, html: parts.html, links: [] }
  })
}

// A template that can't be rendered becomes the outcome of its own message and doesn't affect other messages.
function unlessFaulty(render: () => RenderResult): RenderResult {
  try {
    return render()
  } catch (error) {
    return { kind: 'template_error', message: describe(error) }
  }
}

const textFields = profileFields.filter(isForTexts)

/** The customer's own records about a lead are left out, so that a custom variable may have the same name. */
export function leadScope(lead: LeadVariables): Scope {
  const profile = textFields.map((name) => [name, lead[name] ?? null])
  return { email: lead.email, ...Object.fromEntries(profile), customVariables: lead.customVariables }
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
  if (names.size > 0) return { kind: 'missing_variable', names: [...names] }
  const [subject, body] = results.map(resultText)
  if ((subject ?? '').length > subjectLengthMax) return { kind: 'template_error', message: 'The subject is too long.' }
  if ((body ?? '').length > contentLengthMax) return { kind: 'template_error', message: 'The body is too long.' }
  return null
}

function resultText(result: TemplateResult | null): string {
  return result?.kind === 'rendered' ? result.text : ''
}

interface BodyParts {
  body: string
  text: string
  html: string
}

function splitParts(content: string, asHtml: boolean): BodyParts {
  const body = content.replaceAll('\r\n', '\n').trim()
  return { body, ...(asHtml ? partsOfHtml(body) : { text: body, html: textToHtml(body) }) }
}

function assemble(input: RenderInput, { body, ...parts }: BodyParts): { text: string; html: string } {
  const text = [parts.text]
  const html = [parts.html]
  if (input.sender.signature !== null && !input.template.body.includes('sender.signature'))
    addSignature(input.sender.signature, text, html)
  if (input.unsubscribe === 'link' && !body.includes(input.unsubscribeUrl)) {
    text.push(`Unsubscribe: ${input.unsubscribeUrl}`)
    html.push(`<p style="font-size:12px;color:#666"><a href="${escapeHtml(input.unsubscribeUrl)}">Unsubscribe</a></p>`)
  }
  if (input.postalAddress !== null) {
    text.push(input.postalAddress)
    html.push(`<p style="font-size:12px;color:#666">${escapeHtml(input.postalAddress).replaceAll('\n', '<br>')}</p>`)
  }
  if (input.privacyNotice) {
    const notice = noticeParts(input.privacyNotice)
    text.push(notice.text)
    html.push(`<p style="font-size:12px;color:#666">${notice.html}</p>`)
  }
  return { text: text.join('\n\n'), html: withPixel(input.openPixelUrl, joinHtml(html)) }
}

function addSignature(signature: string, text: string[], html: string[]): void {
  if (signature.trim() === '') return
  const parts = splitParts(signature, isHtml(signature))
  text.push(parts.text)
  html.push(parts.html)
}

// Footers are added inside the document's body if there is one.
function joinHtml([body = '', ...footers]: string[]): string {
  if (footers.length === 0) return body
  const end = body.toLowerCase().lastIndexOf('</body>')
  const footer = footers.join('\n')
  return end < 0 ? `${body}\n${footer}` : `${body.slice(0, end)}${footer}\n${body.slice(end)}`
}

function withPixel(url: string | null, html: string): string {
  if (url === null) return html
  return joinHtml([html, `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0">`])
}

// Only links that a browser would follow: `http`, `https`, and addresses without a scheme, which take that of the page.
function linksIn(html: string, untracked: readonly (string | null | undefined)[]): LinkPlace[] {
  return readHtmlPieces(html).links.flatMap(({ start, end, address }) => {
    const url = address.startsWith('//') ? `https:${address}` : address
    return /^https?:/i.test(url) && URL.canParse(url) && !untracked.includes(url) ? [{ start, end, url }] : []
  })
}

/** Replaces the addresses at these places of the HTML. A place whose address stays the same is not changed. */
export function placeLinks(html: string, links: readonly LinkPlace[], toAddress: (url: string) => string): string {
  let placed = ''
  let from = 0
  for (const { start, end, url } of links) {
    const address = toAddress(url)
    if (address === url) continue
    placed += html.slice(from, start) + escapeHtml(address)
    from = end
  }
  return placed + html.slice(from)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0\u0085\u2028\u2029\s]+/g, ' ').trim()
}
