import type { Resources } from './resources.ts'
import type { TestServer } from '../server.ts'
import { anyTime } from '../schedules.ts'

/** Existing resources for operations that would find nothing on new ones: sent messages, replies, uploads, texts that await approval. */
export interface World {
  /** Used for every path that contains such an id. */
  resources: Resources
  /** Overrides for single operations, by operation id. */
  places: Record<string, Resources>
  /** Values for body fields with these names. */
  fields: Record<string, unknown>
  /** Whole bodies by operation id; generated bodies are variations of them. */
  bodies: Record<string, object>
}

const always = {
  timezone: 'UTC',
  ...anyTime,
}

/** Creates two running campaigns in the test environment, one of them with texts to approve, and one campaign that could start. */
export async function makeWorld(server: TestServer, key: string): Promise<World> {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, { key, ...(body !== undefined && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const senderBody = { email: 'mara@world.test', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  const sender = await call('POST', '/v2/sending-accounts', senderBody)
  const preset = await call('POST', '/v2/campaigns/ai-prompts', { name: 'World', prompt: 'Invite {{ firstName }}.' })
  const base = { schedule: always, sendingAccountIds: [sender.id] }
  const text = { variants: [{ subject: 'Hello', body: 'Hello' }] }
  const ai = { variants: [{ subject: '', body: '', ai: { presetId: preset.id, modelId: 'builtin/drafter' } }] }
  const settings = { stopOnReply: false, stopOnMeetingBooked: false }
  const next = { waitBefore: { value: 5, unit: 'days' }, variants: [{ body: 'Again' }] }
  const lead = (name: string) => ({ email: `${name}@world.test`, firstName: 'Ada', company: 'Acme' })
  const launch = { name: 'World', ...base, steps: [text, next], settings }
  const running = await call('POST', '/v2/campaigns/launch', { ...launch, leads: [lead('ada')] })
  const approved = { ...launch, steps: [ai], settings: { aiApproval: 'all' } }
  const waiting = await call('POST', '/v2/campaigns/launch', {
    ...approved,
    leads: [lead('bob'), lead('cy'), lead('di')],
  })
  const draft = await call('POST', '/v2/campaigns', { name: 'World', ...base, steps: [text] })
  const leadId = running.leadResults.results[0].leadId as string
  await call('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  await call('POST', '/v2/sandbox/inbound', { leadId, kind: 'reply', text: 'Tell me more.' })
  const first = async (path: string) => (await call('GET', path)).results[0].id as string
  const file = { key, body: 'email\neve@world.test\n', headers: { 'content-type': 'text/csv' } }
  const upload = await server.call('POST', `/v2/campaigns/${draft.id}/leads/import`, file)
  const approvals = (await call('GET', `/v2/campaigns/${waiting.id}/approvals`)).results as { id: string }[]
  const approval = (index: number): Resources =>
    new Map([
      ['/v2/campaigns/:id', waiting.id],
      ['/v2/campaigns/:id/approvals/:approvalId', approvals[index]?.id ?? 'nothing'],
    ])
  const contacted: Resources = new Map([
    ['/v2/campaigns/:id', running.id],
    ['/v2/campaigns/:id/leads/:leadId', leadId],
  ])
  return {
    resources: new Map([
      ['/v2/conversations/:id', await first('/v2/conversations')],
      ['/v2/sandbox/messages/:id', await first('/v2/sandbox/messages')],
      ['/v2/imports/:id', upload.body.id],
    ]),
    places: {
      startCampaign: new Map([['/v2/campaigns/:id', draft.id]]),
      pauseCampaign: contacted,
      resumeCampaign: contacted,
      previewMessage: contacted,
      sendNow: contacted,
      replyToLead: contacted,
      editText: approval(0),
      approveText: approval(1),
      rejectText: approval(2),
    },
    fields: { leadId, campaignId: running.id, presetId: preset.id, sendingAccountIds: [sender.id] },
    bodies: {
      launchCampaign: launch,
      previewMessage: { leadId },
      generateEmail: { modelId: 'builtin/drafter', presetId: preset.id, campaignId: running.id, leadId },
    },
  }
}
