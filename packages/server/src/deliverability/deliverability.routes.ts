import { deliverabilityEndpoints, dmarcReportBytesMax } from '@overture/contract/deliverability/deliverability.ts'
import { invalid, type AppError } from '@overture/contract/errors.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { phased, type Route } from '../platform/http/route.ts'
import { tooLarge, type Upload } from '../platform/http/upload.ts'
import { refusalMessages, type ReportRefusal } from './report-faults.ts'
import { judgeReading, type ReportReader } from './report-reading.ts'
import { presentReport, takeReport } from './reports.commands.ts'

const api = deliverabilityEndpoints
/** Reports of one account that are in memory at the same time. */
const uploadsAtOnceMax = 2

export function deliverabilityRoutes(reader: ReportReader): Route[] {
  const uploads = new KeyedSemaphore({ permits: () => uploadsAtOnceMax })
  return [
    phased(api.uploadDmarcReport, async (context, { upload }, answer) => {
      const { tenant, now } = context
      const release = await uploads.acquire(tenant.accountId)
      try {
        const judged = judgeReading(await reader.readReport(await bytesOf(upload), { n: null, nowMs: now.getTime() }))
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
  ]
}

async function bytesOf(upload: Upload): Promise<Buffer> {
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
