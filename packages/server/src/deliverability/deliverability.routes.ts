import { normalizeDomain } from '@overture/contract/addresses.ts'
import {
  deliverabilityEndpoints,
  dmarcReportBytesMax,
  periodDaysMax,
} from '@overture/contract/deliverability/deliverability.ts'
import { invalid, notFound, type AppError } from '@overture/contract/errors.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { answerList, type CursorKey } from '../platform/http/paging.ts'
import { command, phased, query, type Route } from '../platform/http/route.ts'
import { tooLarge, type Upload } from '../platform/http/upload.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { setBudget } from '../sending-accounts/index.ts'
import { domainBudget } from '../sending-accounts/budgets/recipient-budget.ts'
import { getDomain, presentDomains } from './domain-detail.shell.ts'
import { countOwnDomains, findOwnDomain, listOwnDomains, type DaySpan } from './domains.sql.ts'
import { refusalMessages, type ReportRefusal } from './report-faults.ts'
import { judgeReading, type ReportReader } from './report-reading.ts'
import { presentReport, takeReport } from './reports.commands.ts'

const api = deliverabilityEndpoints
const defaultDays = 30
const dayLength = 10

/** The cursor of lists that are sorted by domain. */
const byDomain: CursorKey<{ domain: string }, string> = {
  of: ({ domain }) => [domain],
  read: ([domain, ...rest]) => (typeof domain === 'string' && rest.length === 0 ? domain : null),
}
/** Called after a limit changed, since leads may be due again. */
interface ChangeListener {
  changed(tx: Transaction, tenant: Tenant, now: Date): Promise<void>
}

/** Reports of one account that are in memory at the same time. */
const uploadsAtOnceMax = 2

export function deliverabilityRoutes(reader: ReportReader, listener: ChangeListener): Route[] {
  const uploads = new KeyedSemaphore({ permits: () => uploadsAtOnceMax })
  return [
    phased(api.uploadDmarcReport, async (context, { upload }, answer) => {
      const { tenant, now } = context
      const release = await uploads.acquire(tenant.accountId)
      try {
        const judged = judgeReading(await reader.readReport(await toBytes(upload), { n: null, nowMs: now.getTime() }))
        if ('refusal' in judged) throw refused(judged.refusal, judged.field)
        const { report } = judged
        return await answer(async (tx) => {
          const taken = await takeReport(tx, tenant, { report, sendingAccountId: null, now })
          if (taken.outcome === 'refused') throw refused(taken.refusal, 'policy_published.domain')
          context.setStatus(taken.outcome === 'stored' ? 201 : 200)
          return presentReport(taken.row)
        })
      } finally {
        release()
      }
    }),
    query(api.listDeliverabilityDomains, ({ app, tenant, now }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byDomain,
        list: (range) => listOwnDomains(app.db, tenant, range),
        count: (seen) => seen ?? countOwnDomains(app.db, tenant),
        present: (rows) => presentDomains(app.db, tenant, { rows, span: readSpan({}, now), now }),
      }),
    ),
    query(api.getDeliverabilityDomain, async ({ app, tenant, now }, { params, query: listQuery }) => {
      const domain = normalizeDomain(params.domain)
      const own = await findOwnDomain(app.db, tenant, domain)
      if (own === null) throw notFound()
      return getDomain(app, tenant, { domain, own, ...readSpan(listQuery, now), now })
    }),
    command(
      api.updateDeliverabilityDomain,
      async ({ tenant, now }, { params, body: { dailyExternalRecipients } }, tx) => {
        const domain = normalizeDomain(params.domain)
        const own = await findOwnDomain(tx, tenant, domain)
        if (own === null) throw notFound()
        await setBudget(tx, tenant, { id: domainBudget(domain), name: domain, dailyExternalRecipients })
        await listener.changed(tx, tenant, now)
        const rows = [{ ...own, dailyExternalRecipients }]
        const [shown] = await presentDomains(tx, tenant, { rows, span: readSpan({}, now), now })
        if (shown === undefined) throw notFound()
        return shown
      },
    ),
  ]
}

/** The days of a request. Without a bound, 30 days before the other one or before today. */
function readSpan({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): DaySpan {
  const last = to ?? utcDate(from === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(from)))
  const first = from ?? utcDate(Date.parse(last) - (defaultDays - 1) * dayMs)
  if (Date.parse(last) - Date.parse(first) < periodDaysMax * dayMs) return { from: first, to: last }
  throw invalid({ path: 'from', rule: 'max_days', message: `At most ${periodDaysMax} days.` })
}

function utcDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, dayLength)
}

async function toBytes(upload: Upload): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of upload) {
    bytes += chunk.length
    if (bytes > dmarcReportBytesMax) throw tooLarge(dmarcReportBytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refused(refusal: ReportRefusal, field: string | null): AppError {
  return invalid({ path: field ?? '', rule: refusal, message: refusalMessages[refusal] })
}
