import { describe, expect, test } from 'vitest'
import type { ReportRow } from '@overture/mail-reading/dmarc/dmarc-report.ts'
import { otherSources, sourcesMax, mergeSources, sumRows } from './report-sources.ts'

const row = (domain: string, ip: string, messages: number, more: Partial<ReportRow> = {}): ReportRow => ({
  domain,
  ip,
  disposition: 'none',
  spfAligned: false,
  dkimAligned: false,
  messages,
  ...more,
})

describe('the rows of a report', () => {
  test('belong to the nearest domain of the account, and others are left out', () => {
    const owned = new Set(['run.test', 'mail.run.test'])
    const found = mergeSources(
      [
        row('run.test', '192.0.2.1', 1),
        row('news.run.test', '192.0.2.1', 2),
        row('a.mail.run.test', '192.0.2.1', 4),
        row('other.test', '192.0.2.1', 8),
        row('run.test.other.test', '192.0.2.1', 16),
      ],
      owned,
    )
    expect(found).toEqual([row('mail.run.test', '192.0.2.1', 4), row('run.test', '192.0.2.1', 3)])
  })

  test('beyond the limit are added up without their address', () => {
    const rows = Array.from({ length: sourcesMax + 5 }, (_, at) =>
      row('run.test', `2001:db8::${at.toString(16)}`, at + 1),
    )
    const found = mergeSources(rows, new Set(['run.test']))
    expect(found).toHaveLength(sourcesMax + 1)
    expect(found.at(-1)).toEqual(row('run.test', otherSources, 1 + 2 + 3 + 4 + 5))
    expect(sumRows(found)).toEqual(sumRows(rows))
  })

  test('are counted by their alignment', () => {
    const rows = [
      row('a.test', '192.0.2.1', 5, { spfAligned: true }),
      row('a.test', '192.0.2.1', 7, { spfAligned: true, dkimAligned: true }),
      row('a.test', '192.0.2.1', 9),
    ]
    expect(sumRows(rows)).toEqual({ messages: 21, spfAligned: 12, dkimAligned: 7 })
  })
})
