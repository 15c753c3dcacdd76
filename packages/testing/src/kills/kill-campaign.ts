import { anyTime } from '../schedules.ts'
import type { Findings } from './kill-judge.ts'
import { type Caller, expectOk, pause } from './product-caller.ts'

const pollMs = 500

export interface CampaignUnderFire {
  sender: string
  smtp: number
  imap: number
  /** Messages that the sender may send per day. */
  dailyLimit?: number
  /** Seconds between two messages of the sender. */
  gapSeconds?: number
  leads?: readonly string[]
}

/** Creates a sender and launches a campaign of one step. Returns the campaign's id. */
export async function launchCampaign(call: Caller, fire: CampaignUnderFire): Promise<string> {
  const { sender, gapSeconds = 0, leads = ['first@r.test'] } = fire
  const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none', username: sender, password: 'secret' })
  await expectOk(call('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' }))
  const made = await expectOk(
    call('POST', '/v2/sending-accounts', {
      email: sender,
      fromName: 'Ada',
      provider: 'smtp',
      smtp: server(fire.smtp),
      imap: server(fire.imap),
      dailyLimit: fire.dailyLimit ?? 100_000,
      minGapSeconds: gapSeconds,
      maxGapSeconds: gapSeconds,
    }),
  )
  const campaign = await expectOk(
    call('POST', '/v2/campaigns/launch', {
      name: 'Under fire',
      sendingAccountIds: [made['id']],
      schedule: anyTime,
      settings: { dailyLimit: null, dailyNewLeadLimit: null, bounceProtection: { enabled: false } },
      steps: [{ variants: [{ subject: 'Hello', body: 'Hi {{ firstName }}.' }] }],
      leads: leads.map((email) => ({ email, firstName: 'First' })),
    }),
  )
  return String(campaign['id'])
}

/** Reads all pages of a list. */
export async function listAll<Row>(call: Caller, path: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 10_000; page++) {
    const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${encodeURIComponent(cursor)}`
    const body = await expectOk(call('GET', `${path}?${query}`))
    rows.push(...(body['results'] as Row[]))
    cursor = body['nextCursor'] as string | null
  }
  return rows
}

/** Repeats the check until no finding is missing, or until `withinMs` has passed. */
export async function settle(judge: () => Promise<Findings>, withinMs: number): Promise<Findings> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const findings = await judge()
    if (findings.lost.length + findings.unheard.length === 0 || performance.now() > endMs) return findings
    await pause(pollMs)
  }
}
