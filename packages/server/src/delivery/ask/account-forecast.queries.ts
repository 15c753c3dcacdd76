import type { AccountForecast } from '@overture/contract/delivery/diagnosis.ts'
import { findAccount } from '../../accounts/index.ts'
import { listCampaignsById } from '../../campaigns/index.ts'
import { dayName, dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { senderCapacity } from '@overture/planner/capacity.ts'
import { listRunningIds } from './explain.sql.ts'
import { ofOneMoment, planAhead, readAhead, runAhead } from './forecast.queries.ts'

const campaignsMax = 100
const leadsMax = 20_000

/** The forecast of all running campaigns together: the messages of each day, by sender and by campaign. */
export async function getAccountForecast(
  app: App,
  tenant: Tenant,
  { days, ...input }: ExplainTools & { days: number; now: Date },
): Promise<AccountForecast> {
  const { now } = input
  const { account, read, more } = await ofOneMoment(app, async (tools) => {
    const ids = await listRunningIds(tools.db, tenant, { limit: campaignsMax + 1 })
    const rows = await listCampaignsById(tools.db, tenant, ids.slice(0, campaignsMax))
    const leadsPerCampaignMax = Math.floor(leadsMax / Math.max(1, rows.length))
    return {
      account: await findAccount(tools.db, tenant.accountId),
      read: await readAhead(tools, tenant, { ...input, rows, leadsPerCampaignMax }),
      more: ids.length > campaignsMax,
    }
  })
  const timezone = account?.defaultTimezone ?? 'UTC'
  const { state, cut } = await planAhead(input.renderer, tenant, read)
  const counts = new Counts()
  await runAhead(state, {
    days: days + 1,
    onSend: (send, atMs) => counts.add(dayNumberAt(timezone, atMs), send),
  })
  const first = dayNumberAt(timezone, now.getTime())
  return {
    timezone,
    days: Array.from({ length: days }, (_, index) => {
      const day = first + index
      const noonMs = Math.max(now.getTime(), startOfDayMs(timezone, day) + 12 * hourMs)
      return {
        date: dayName(day),
        bySender: state.senders.map((sender) => ({
          sendingAccountId: sender.id,
          count: counts.of(day, sender.id),
          capacity: senderCapacity(sender, noonMs),
        })),
        byCampaign: state.campaigns.map(({ id }) => ({ campaignId: id, count: counts.of(day, id) })),
      }
    }),
    partial: cut || more,
  }
}

/** The number of messages per day and id. */
class Counts {
  readonly #counts = new Map<string, number>()

  add(day: number, of: { sendingAccountId: string; campaignId: string }): void {
    for (const id of [of.sendingAccountId, of.campaignId]) {
      const key = `${day} ${id}`
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    }
  }

  of(day: number, id: string): number {
    return this.#counts.get(`${day} ${id}`) ?? 0
  }
}
