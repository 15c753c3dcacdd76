import { conflict } from '@overture/contract/errors.ts'
import { copyProfile } from '@overture/ground/lead-profile.ts'
import { wakePlanner } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { RenderOutcome } from '../../templates/index.ts'
import { findAccountFooter } from '../write/compose.sql.ts'
import { messageRef, toRenderInput, type ComposeInput } from '../write/compose.ts'
import { listSenderRows, type SenderRow } from '../plan/senders.sql.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { insertPlacementMessages, type PlacementMessage } from './placement-messages.sql.ts'
import { findText } from './preview.queries.ts'
import { composeTest, renderTest, testOptOutUrl, type TestText } from './test-copy.shell.ts'

/** Messages from one sender to several seeds are sent with this pause, so that a test is no burst. */
const spacingMs = 20_000

/** A text of a step with the values of a lead, or of a template with sample values. */
export type PlacementText =
  | { kind: 'step'; campaignId: string; stepId: string; variantId?: string | undefined; leadId: string }
  | { kind: 'template'; subject: string; body: string }

interface PlacementToWrite extends ExplainTools {
  placementTestId: string
  text: PlacementText
  sendingAccountIds: readonly string[]
  seeds: readonly { id: string; email: string }[]
  now: Date
}

/** Writes a message from each sender to each seed, with the code that writes campaign messages. */
export async function writePlacementMessages(
  app: App,
  tenant: Tenant,
  input: PlacementToWrite,
): Promise<PlacementMessage[]> {
  const senders = await listSenderRows(app.db, tenant, input.sendingAccountIds)
  const render = await createRenderer(app, tenant, input)
  const written: PlacementMessage[] = []
  for (const sender of senders) written.push(...writeOfSender(input, sender.id, await render(sender)))
  return written
}

function writeOfSender(
  { placementTestId, seeds, now }: PlacementToWrite,
  sendingAccountId: string,
  text: TestText,
): PlacementMessage[] {
  return seeds.map((seed, place) => {
    const copy = composeTest(text, { id: newId('msg'), email: seed.email })
    return {
      ...copy,
      placementTestId,
      sendingAccountId,
      seedMailboxId: seed.id,
      ref: messageRef(text.compose.sign, copy.id),
      attemptAt: new Date(now.getTime() + place * spacingMs),
    }
  })
}

/** Finds the text once, and renders it for each sender. */
async function createRenderer(
  app: App,
  tenant: Tenant,
  input: PlacementToWrite,
): Promise<(sender: SenderRow) => Promise<TestText>> {
  const { renderer, meetingUrl, now, text } = input
  if (text.kind === 'template') return (sender) => renderTemplate(app, tenant, { ...input, text, sender })
  const rendering = { renderer, meetingUrl, now, ...text }
  const found = await findText(app, tenant, rendering)
  return (sender) => renderTest(app, tenant, rendering, { ...found, sender })
}

const sampleProfile = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  companyName: 'Example',
  title: 'Engineer',
  city: 'London',
}
const customPrefix = 'customVariables.'

async function renderTemplate(
  app: App,
  tenant: Tenant,
  input: PlacementToWrite & { sender: SenderRow; text: PlacementText & { kind: 'template' } },
): Promise<TestText> {
  const { sender, text, now } = input
  const url = testOptOutUrl(app)
  const lead = { ...copyProfile(sampleProfile), id: 'sample', email: 'ada@example.com', customVariables: {} }
  const settings = { textOnly: false, unsubscribe: 'link', tracking: 'off', privacyNotice: 'off' } as const
  const compose: ComposeInput = {
    messageId: 'preview',
    now,
    tenant,
    campaignId: 'template',
    stepId: 'template',
    lead,
    sender,
    template: { subject: text.subject, body: text.body },
    settings: { ...settings, openTracking: false, linkTracking: false },
    thread: null,
    footer: await findAccountFooter(app.db, tenant),
    isFirst: true,
    publicUrl: app.config.publicUrl,
    meetingUrl: url,
    sign: (purpose, fields) => app.secrets.signToken(purpose, fields),
    sealToken: (purpose, parts) => app.secrets.sealToken(purpose, parts),
  }
  return { compose, url, rendered: await renderSample(tenant, { ...input, url }, compose) }
}

/** Renders a template with sample values. Variables without one show their name. */
async function renderSample(
  tenant: Tenant,
  { renderer, url }: PlacementToWrite & { url: string },
  compose: ComposeInput,
): Promise<TestText['rendered']> {
  const content = { ...toRenderInput(compose), unsubscribeUrl: url }
  const [first = { kind: 'postponed' }]: RenderOutcome[] = await renderer.messages(tenant, [content])
  const names = first.kind === 'missing_variable' ? first.names : []
  const custom = names.filter((name) => name.startsWith(customPrefix)).map((name) => name.slice(customPrefix.length))
  const shown = Object.fromEntries(names.filter((name) => !name.startsWith(customPrefix)).map((name) => [name, name]))
  const customVariables = Object.fromEntries(custom.map((name) => [name, name]))
  const lead = { ...content.lead, ...shown, customVariables }
  const [outcome = first] = names.length === 0 ? [first] : await renderer.messages(tenant, [{ ...content, lead }])
  if (outcome.kind === 'rendered') return outcome
  const why = outcome.kind === 'template_error' ? outcome.message : 'The template can’t be rendered with sample values.'
  throw conflict(why, 'template')
}

/** Queues the messages, so that they pass the claim, the gate and the record of every message. */
export async function queuePlacementMessages(
  tx: Transaction,
  tenant: Tenant,
  { messages, of, now }: { messages: readonly PlacementMessage[]; of: PlacementText; now: Date },
): Promise<void> {
  const lead = of.kind === 'step' ? { campaignId: of.campaignId, leadId: of.leadId, stepId: of.stepId } : null
  await insertPlacementMessages(tx, tenant, { messages, lead, now })
  wakePlanner(tx, tenant, now)
}
