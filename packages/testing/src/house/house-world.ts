import { createKey } from '@overture/server/api-keys/index.ts'
import { openAccount } from '@overture/server/composition/operator.commands.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createCaller, expectOk, liftLimits, type Caller } from '../kills/product-caller.ts'
import { anyTime } from '../schedules.ts'

/** The size of a simulated company and the length of its working day. */
export interface HouseSize {
  accounts: number
  /** Each campaign has its own mailboxes, the same number for each. */
  campaigns: number
  mailboxes: number
  leads: number
  daySeconds: number
  /** Messages that each mailbox sends in the day. */
  messagesPerMailbox: number
  requestsPerSecond: number
  /** One in this many messages gets a reply. */
  answerEvery: number
  /** True if one process serves requests and another sends and reads mail. */
  isApart: boolean
}

export interface HouseCampaign {
  id: string
  call: Caller
  mailboxes: string[]
}

const leadsPerCall = 1_000
const atOnce = 4
const domains = 997

/** Creates the accounts, connects their mailboxes and fills their campaigns. It doesn't start the campaigns. */
export async function furnishHouse(
  at: { url: string; databaseUrl: string; smtp: number; imap: number },
  size: HouseSize,
  progress: (text: string) => void,
): Promise<HouseCampaign[]> {
  const callers = await openAccounts(at, size)
  const campaigns: HouseCampaign[] = []
  let begun = 0
  const furnish = async (): Promise<void> => {
    while (begun < size.campaigns) {
      const number = begun++
      campaigns.push(await furnishCampaign({ ...at, call: callers[number % callers.length]!, number }, size))
      progress(`${campaigns.length} of ${size.campaigns} campaigns are furnished`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, furnish))
  return campaigns
}

async function openAccounts(at: { url: string; databaseUrl: string }, size: HouseSize): Promise<Caller[]> {
  const db = createDatabase({ url: at.databaseUrl, log: createLogger('silent'), connectionsMax: 1 })
  const now = new Date()
  const callers: Caller[] = []
  for (let number = 0; number < size.accounts; number++) {
    const { key } = await db.transaction(async (tx) => {
      const { accountId } = await openAccount(tx, { name: `Tenant ${number}`, plan: 'self_hosted', now })
      const scopes = ['read', 'write', 'admin'] as const
      return createKey(tx, { accountId, scopes: [...scopes], environment: 'live', expiresAt: null, now })
    })
    callers.push(createCaller(() => at.url, key))
  }
  await db.close()
  await liftLimits(at.databaseUrl)
  for (const call of callers)
    await expectOk(call('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' }))
  return callers
}

async function furnishCampaign(
  at: { smtp: number; imap: number; call: Caller; number: number },
  size: HouseSize,
): Promise<HouseCampaign> {
  const each = Math.max(1, Math.floor(size.mailboxes / size.campaigns))
  const mailboxes = Array.from({ length: each }, (_, index) => `m${at.number * each + index}@house.test`)
  const sendingAccountIds: string[] = []
  for (const email of mailboxes) sendingAccountIds.push(await connectMailbox(at, email, size))
  const made = await expectOk(
    at.call('POST', '/v2/campaigns', {
      name: `Campaign ${at.number}`,
      sendingAccountIds,
      schedule: anyTime,
      settings: { dailyLimit: null, dailyNewLeadLimit: null, bounceProtection: { enabled: false } },
      steps: [
        { variants: [{ subject: 'Hello', body: 'Hi {{ firstName }}, is {{ company }} hiring?' }] },
        { waitBefore: { value: 3, unit: 'days' }, variants: [{ body: 'Just once more, {{ firstName }}.' }] },
      ],
    }),
  )
  const id = String(made['id'])
  const count = Math.floor(size.leads / size.campaigns)
  for (let first = 0; first < count; first += leadsPerCall) {
    const leads = Array.from({ length: Math.min(leadsPerCall, count - first) }, (_, index) => ({
      email: `p${at.number}x${first + index}@r${(first + index) % domains}.test`,
      firstName: 'Ada',
      company: `Company ${index}`,
    }))
    const { added } = await expectOk(at.call('POST', `/v2/campaigns/${id}/leads`, { leads }))
    if (added !== leads.length) throw new Error(`Only ${String(added)} of ${leads.length} leads were added.`)
  }
  return { id, call: at.call, mailboxes }
}

async function connectMailbox(
  at: { smtp: number; imap: number; call: Caller },
  email: string,
  size: HouseSize,
): Promise<string> {
  const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none', username: email, password: 'secret' })
  const gap = gapSeconds(size)
  const made = await expectOk(
    at.call('POST', '/v2/sending-accounts', {
      email,
      fromName: 'Grace',
      provider: 'smtp',
      smtp: server(at.smtp),
      imap: server(at.imap),
      dailyLimit: size.messagesPerMailbox,
      minGapSeconds: gap,
      maxGapSeconds: gap,
    }),
  )
  return String(made['id'])
}

export function gapSeconds(size: HouseSize): number {
  return Math.max(1, Math.floor(size.daySeconds / size.messagesPerMailbox))
}
