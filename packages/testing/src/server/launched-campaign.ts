import { expect } from 'vitest'
import type { SmtpDouble } from '../mail/smtp-double.server.ts'
import type { RunningProduct } from './running-server.ts'
import { anyTime } from '../schedules.ts'

/** Launches a live campaign of one step with one sender without limits. Returns its id. */
export async function launchAtFullSpeed(
  product: Pick<RunningProduct, 'live'>,
  smtp: SmtpDouble,
  { name, leadCount }: { name: string; leadCount: number },
): Promise<string> {
  const senderId = await connectAda(product, smtp, { dailyLimit: 5000 })
  const { status, body } = await product.live('POST', '/v2/campaigns/launch', {
    name,
    sendingAccountIds: [senderId],
    schedule: anyTime,
    settings: { dailyLimit: null, dailyNewLeadLimit: null },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads: Array.from({ length: leadCount }, (_, index) => ({ email: `p${index}@r${index % 40}.test` })),
  })
  expect(status).toBe(201)
  return body.id
}

/** Connects a sender without a gap to the SMTP double. Returns its id. */
export async function connectAda(
  product: Pick<RunningProduct, 'live'>,
  smtp: SmtpDouble,
  limits: { dailyLimit?: number } = {},
): Promise<string> {
  const { status, body } = await product.live('POST', '/v2/sending-accounts', {
    email: 'ada@sender.test',
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: 'ada@sender.test', password: 'secret' },
    minGapSeconds: 0,
    maxGapSeconds: 0,
    ...limits,
  })
  expect(status).toBe(201)
  return body.id
}
