import { expect } from 'vitest'
import type { SmtpDouble } from '../mail/smtp-double.server.ts'
import type { RunningProduct } from './running-server.ts'

const anyTime = { windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }] }

/** A campaign of one step in live that one sender mails as fast as it can: its id. */
export async function launchAtFullSpeed(
  product: Pick<RunningProduct, 'live'>,
  smtp: SmtpDouble,
  { name, leadCount }: { name: string; leadCount: number },
): Promise<string> {
  const sender = await product.live('POST', '/v2/sending-accounts', {
    email: 'ada@sender.test',
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: 'ada@sender.test', password: 'secret' },
    dailyLimit: 5000,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  expect(sender.status).toBe(201)
  const { status, body } = await product.live('POST', '/v2/campaigns/launch', {
    name,
    sendingAccountIds: [sender.body.id],
    schedule: anyTime,
    settings: { dailyLimit: null, dailyNewLeadLimit: null },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads: Array.from({ length: leadCount }, (_, index) => ({ email: `p${index}@r${index % 40}.test` })),
  })
  expect(status).toBe(201)
  return body.id
}
