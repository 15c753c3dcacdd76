import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  dmarcSamples,
  gzipped,
  sampleBegin,
  sampleEnd,
  zipped,
} from '@overture/testing/deliverability/dmarc-samples.ts'
import { readDmarcReport, type DmarcReading } from './dmarc-report.ts'

const domain = 'run.example.com'
const nowMs = (sampleEnd + 3_600) * 1_000
const read = (file: string | Uint8Array): DmarcReading =>
  readDmarcReport(typeof file === 'string' ? Buffer.from(file) : file, nowMs)
const sample = dmarcSamples.google({ domain })
const refusal = (fault: string, field: string | null = null) => ({ outcome: 'refused', fault, field })

function reportOf(file: string | Uint8Array) {
  const reading = read(file)
  if (reading.outcome === 'refused') throw new Error(`${reading.fault} ${reading.field}`)
  return reading.report
}

describe('a DMARC report', () => {
  test.each(Object.entries(dmarcSamples))('in the shape of %s has its rows, its period and its policy', (_, write) => {
    const report = reportOf(write({ domain, policy: 'quarantine' }))
    expect(report).toMatchObject({
      policyDomain: domain,
      policy: 'quarantine',
      beginsAtMs: sampleBegin * 1_000,
      endsAtMs: sampleEnd * 1_000,
    })
    expect(report.orgName).not.toBe('')
    expect(report.reportId).toContain('r-1')
    expect(report.rows).toEqual([
      { domain, ip: '192.0.2.10', disposition: 'none', spfAligned: true, dkimAligned: true, messages: 12 },
      { domain, ip: '2001:db8::25', disposition: 'none', spfAligned: true, dkimAligned: false, messages: 3 },
      { domain, ip: '198.51.100.7', disposition: 'quarantine', spfAligned: false, dkimAligned: false, messages: 2 },
    ])
  })

  test.each<[string, Uint8Array]>([
    ['gzip', gzipped(sample)],
    ['gzip with two members', Buffer.concat([gzipSync(sample.slice(0, 300)), gzipSync(sample.slice(300))])],
    ['ZIP', zipped(sample)],
    ['ZIP with a folder', Buffer.from(zipSync({ 'reports/': new Uint8Array(), 'reports/a.xml': Buffer.from(sample) }))],
    ['ZIP without compression', Buffer.from(zipSync({ 'a.xml': [Buffer.from(sample), { level: 0 }] }))],
    ['UTF-8 with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(sample)])],
    [
      'UTF-16',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(sample.replace('encoding="UTF-8" ', ''), 'utf16le')]),
    ],
  ])('as %s is the same report', (_, file) => {
    expect(reportOf(file)).toEqual(reportOf(sample))
  })

  test('adds up rows with the same result and leaves out domains that are not below its own', () => {
    const rows = [
      { ip: '192.0.2.10', count: 5 },
      { ip: '192.0.2.10', count: 6 },
      { ip: '::ffff:192.0.2.10', count: 1 },
      { ip: '192.0.2.10', count: 7, from: `NEWS.${domain}.` },
      { ip: '192.0.2.10', count: 8, from: 'other.example.net' },
      { ip: '192.0.2.10', count: 9, from: `not${domain}` },
    ]
    const found = reportOf(dmarcSamples.google({ domain, rows })).rows.map((row) => [row.domain, row.messages])
    expect(found).toEqual([
      [domain, 12],
      [`news.${domain}`, 7],
    ])
  })

  test('names an element of an extension as it likes', () => {
    expect(reportOf(dmarcSamples.rfc9990({ domain })).rows[0]).toMatchObject({ messages: 12 })
    const prefixed = sample.replaceAll(/<(\/?)(?=[a-z])/g, '<$1d:').replace('<d:feedback', '<d:feedback xmlns:d="a:b"')
    expect(reportOf(prefixed)).toEqual(reportOf(sample))
  })
})

const bomb = (bytes: number) => Buffer.alloc(bytes, ' ')
const record = '<record><row><source_ip>192.0.2.1</source_ip><count>1</count></row></record>'

describe('a file that is refused', () => {
  test.each<[string, string | Uint8Array, object]>([
    ['an empty file', '', refusal('not_a_report')],
    ['a text', 'Hello', refusal('not_a_report')],
    ['other XML', '<?xml version="1.0"?><html><feedback/></html>', refusal('not_a_report')],
    ['JSON', '{"feedback": 1}', refusal('not_a_report')],
    [
      'a broken gzip',
      Buffer.concat([gzipped(sample).subarray(0, 200), Buffer.alloc(50, 7)]),
      refusal('not_well_formed'),
    ],
    ['a cut gzip', gzipped(sample).subarray(0, 200), refusal('broken_archive')],
    ['a cut ZIP', zipped(sample).subarray(0, 200), refusal('broken_archive')],
    ['an empty ZIP', Buffer.from(zipSync({})), refusal('no_report_in_archive')],
    [
      'a ZIP with two files',
      Buffer.from(zipSync({ a: Buffer.from(sample), b: Buffer.from(sample) })),
      refusal('several_files'),
    ],
    [
      'an encrypted ZIP',
      Buffer.from(zipped(sample).map((byte, at) => (at === 6 ? byte | 1 : byte))),
      refusal('broken_archive'),
    ],
    ['XML that was cut', sample.slice(0, -30), refusal('not_well_formed')],
    ['XML with crossed tags', sample.replace('</row>', '</record>'), refusal('not_well_formed')],
    ['a DTD', sample.replace('<feedback>', '<!DOCTYPE feedback><feedback>'), refusal('doctype')],
    [
      'an external entity',
      sample
        .replace('<feedback>', '<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]><feedback>')
        .replace('google.com', '&x;'),
      refusal('doctype'),
    ],
    [
      'entities that grow',
      sample.replace('<feedback>', '<!DOCTYPE f [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><feedback>'),
      refusal('doctype'),
    ],
    ['an entity without a DTD', sample.replace('google.com', '&x;'), refusal('entity')],
    ['an entity with the name of a property', sample.replace('google.com', '&constructor;'), refusal('entity')],
    ['elements in elements', `<feedback>${'<a>'.repeat(20)}`, refusal('too_deep')],
    ['very many elements', gzipped(`<feedback>${'<a/>'.repeat(2_000_001)}</feedback>`), refusal('too_many_rows')],
    ['one long text', `<feedback><a>${'x'.repeat(200_000)}</a></feedback>`, refusal('text_too_long')],
    ['one long comment', `<feedback><!--${'x'.repeat(200_000)}--></feedback>`, refusal('text_too_long')],
    ['one long tag', `<feedback><a b="${'x'.repeat(200_000)}"/></feedback>`, refusal('text_too_long')],
    [
      'many attributes',
      `<feedback><a ${Array.from({ length: 30 }, (_, at) => `b${at}="x"`).join(' ')}/></feedback>`,
      refusal('text_too_long'),
    ],
    [
      'a text in many pieces',
      `<feedback><a>${'<![CDATA[xxxxxxxxxx]]>'.repeat(10_000)}</a></feedback>`,
      refusal('text_too_long'),
    ],
    ['too many rows', gzipped(`<feedback>${record.repeat(50_001)}</feedback>`), refusal('too_many_rows')],
    ['no rows', dmarcSamples.google({ domain, rows: [] }), refusal('missing', 'record')],
    [
      'rows of another domain',
      dmarcSamples.google({ domain, rows: [{ ip: '192.0.2.1', count: 1, from: 'a.test' }] }),
      refusal('missing', 'record'),
    ],
    ['no report id', sample.replace('r-1', ' '), refusal('missing', 'report_metadata.report_id')],
    [
      'no domain',
      sample.replace('<domain>run.example.com</domain>\n    <adkim>', '<adkim>'),
      refusal('missing', 'policy_published.domain'),
    ],
    ['a domain that is none', sample.replaceAll(domain, 'x y'), refusal('invalid', 'record.identifiers.header_from')],
    ['an address that is none', sample.replace('192.0.2.10', '192.0.2'), refusal('invalid', 'record.row.source_ip')],
    ['a count that is none', sample.replace('>12<', '>-12<'), refusal('invalid', 'record.row.count')],
    ['a count that is too large', sample.replace('>12<', '>9999999999<'), refusal('invalid', 'record.row.count')],
    [
      'a time that is none',
      sample.replace(String(sampleBegin), '2026-11-20'),
      refusal('invalid', 'report_metadata.date_range.begin'),
    ],
    [
      'a long id',
      dmarcSamples.google({ domain, id: 'x'.repeat(301) }),
      refusal('invalid', 'report_metadata.report_id'),
    ],
    [
      'an end before the begin',
      dmarcSamples.google({ domain, endsAt: sampleBegin - 1 }),
      refusal('ends_before_begin', 'report_metadata.date_range.end'),
    ],
    [
      'an end in the future',
      dmarcSamples.google({ domain, endsAt: sampleEnd + 3 * 86_400 }),
      refusal('in_the_future', 'report_metadata.date_range.end'),
    ],
    [
      'a period of two years',
      dmarcSamples.google({ domain, beginsAt: sampleBegin - 700 * 86_400 }),
      refusal('longer_than_a_year', 'report_metadata.date_range.begin'),
    ],
    ['too many packed bytes', bomb(10 * 1024 * 1024 + 1), refusal('too_large')],
  ])('%s', (_, file, expected) => {
    expect(read(file)).toEqual(expected)
  })

  test.each<[string, (content: Uint8Array) => Uint8Array]>([
    ['gzip', (content) => gzipSync(content)],
    ['ZIP', (content) => zipSync({ 'a.xml': content }, { level: 1 })],
  ])('a %s that unpacks to more than 100 MiB, before it is unpacked', (_, pack) => {
    // The blanks stand between elements, so that no text is too long.
    const blanks = Buffer.from(`<a>${' '.repeat(60_000)}</a>`)
    const file = pack(Buffer.concat([Buffer.from('<feedback>'), ...Array<Buffer>(1_800).fill(blanks)]))
    expect(file.length).toBeLessThan(1024 * 1024)
    expect(read(file)).toEqual(refusal('too_large'))
  })

  test('a ZIP whose header lies about its size', () => {
    const file = zipped(sample)
    file.writeUInt32LE(1, 22)
    expect(read(file)).toEqual(read(sample))
  })
})
