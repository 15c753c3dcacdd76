import { z } from 'zod'
import { facts, tool } from '../tool.ts'

const shownMax = 50

export const overview = tool({
  name: 'overview',
  title: 'Overview',
  description: 'The account, its clock and limits, sending accounts and campaigns with their status.',
  needs: 'read',
  input: z.strictObject({}),
  async run({ overture, access }) {
    const [account, summary, senders, campaigns, clock] = await Promise.all([
      overture.account.get(),
      overture.account.summary(),
      overture.sendingAccounts.list({ limit: shownMax }),
      overture.campaigns.list({ limit: shownMax }),
      access.environment === 'test' ? overture.sandbox.clock.get() : null,
    ])
    return facts({
      account: { name: account.name, plan: account.plan, environment: account.environment, limits: account.limits },
      mayWrite: access.writes,
      maySend: access.sends,
      clock,
      today: summary.today,
      leads: summary.leads,
      credits: summary.credits.balance,
      sendingAccounts: senders.results.map(({ id, email, status, statusReason, dailyLimit, sentToday }) => ({
        id,
        email,
        status,
        statusReason,
        dailyLimit,
        sentToday,
      })),
      campaigns: campaigns.results.map(({ id, name, status, statusReason, leadCount }) => ({
        id,
        name,
        status,
        statusReason,
        leadCount,
      })),
      more: senders.nextCursor !== null || campaigns.nextCursor !== null,
    })
  },
})
