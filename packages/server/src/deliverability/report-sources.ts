import { addRow, type ReportRow } from '@overture/mail-reading/dmarc/dmarc-report.ts'
import { findOwnedDomain } from './domain-names.ts'

/** The addresses of one report that are stored. The others count in the sums of the domain. */
export const sourcesMax = 1_000
/** Stands for all addresses beyond the limit. */
export const otherSources = ''

interface ReportTotals {
  messages: number
  spfAligned: number
  dkimAligned: number
}

/**
 * The rows of a report that are about domains of the account, under the nearest of these domains. The addresses with the most
 * messages are kept, and the rest is added up.
 */
export function mergeSources(rows: readonly ReportRow[], owned: ReadonlySet<string>): ReportRow[] {
  const ours = rows.flatMap((row) => {
    const domain = findOwnedDomain(row.domain, owned)
    return domain === null ? [] : [{ ...row, domain }]
  })
  const merged = mergedRows(ours).toSorted((a, b) => b.messages - a.messages)
  if (merged.length <= sourcesMax) return merged
  const rest = merged.slice(sourcesMax).map((row) => ({ ...row, ip: otherSources }))
  return [...merged.slice(0, sourcesMax), ...mergedRows(rest)]
}

function mergedRows(rows: readonly ReportRow[]): ReportRow[] {
  const merged = new Map<string, ReportRow>()
  for (const row of rows) addRow(merged, row)
  return [...merged.values()]
}

export function sumRows(rows: readonly ReportRow[]): ReportTotals {
  const sum = (counted: readonly ReportRow[]) => counted.reduce((total, { messages }) => total + messages, 0)
  return {
    messages: sum(rows),
    spfAligned: sum(rows.filter(({ spfAligned }) => spfAligned)),
    dkimAligned: sum(rows.filter(({ dkimAligned }) => dkimAligned)),
  }
}
