import { createHash } from 'node:crypto'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { composeCampaignMessage, toRenderInput, type ComposeInput, type RenderedContent } from '../write/compose.ts'
import { composeMessage } from '../write/message-bytes.ts'
import { optOutMailto } from '../write/opt-out-mailto.ts'
import { buildComposeInput, renderOrRefuse, type FoundText, type PreviewInput } from './preview.queries.ts'

/** A rendered text for readers that are not the lead. */
export interface TestText {
  compose: ComposeInput
  rendered: RenderedContent
  /** The opt-out link, which does nothing. */
  url: string
}

export function testOptOutUrl({ config }: App): string {
  return `${config.publicUrl}/u/test`
}

/** Renders a lead's message. Opens and clicks of a test must not count for the lead, so it is not tracked. */
export async function renderTest(app: App, tenant: Tenant, input: PreviewInput, found: FoundText): Promise<TestText> {
  const plain = await buildComposeInput(app, tenant, input, found)
  const compose = { ...plain, settings: { ...plain.settings, openTracking: false, linkTracking: false } }
  const url = testOptOutUrl(app)
  const content = { ...toRenderInput(compose), unsubscribeUrl: url }
  return { compose, url, rendered: await renderOrRefuse(tenant, input, { content, found }) }
}

/** Composes the bytes of a test message to one address. */
export function composeTest({ compose, rendered, url }: TestText, { id, email }: { id: string; email: string }) {
  const { mime } = composeCampaignMessage({ ...compose, messageId: id }, url, rendered)
  const to = { email, name: null }
  // The address in the mailto would name the lead.
  const unsubscribe = { url, mailto: optOutMailto(compose.sender, url, null) }
  const raw = composeMessage({ ...mime, to: [to], unsubscribe, inReplyTo: null, references: [] })
  return {
    id,
    from: mime.from,
    to,
    subject: mime.subject,
    rfcMessageId: mime.messageId,
    raw,
    sha256: createHash('sha256').update(raw).digest(),
  }
}
