import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'

/** Aggregate reports in the shapes in which receivers write them. Domains and numbers are invented. */

export interface SampleRow {
  ip: string
  count: number
  from?: string
  disposition?: string
  spf?: boolean
  dkim?: boolean
}

export interface SampleReport {
  domain: string
  id?: string
  beginsAt?: number
  endsAt?: number
  policy?: string
  rows?: readonly SampleRow[]
}

const second = 1_000
export const sampleBegin = Date.UTC(2026, 10, 20) / second
export const sampleEnd = sampleBegin + 86_399
const rows: readonly SampleRow[] = [
  { ip: '192.0.2.10', count: 12, spf: true, dkim: true },
  { ip: '2001:db8::25', count: 3, spf: true },
  { ip: '198.51.100.7', count: 2, disposition: 'quarantine' },
]

const word = (passes: boolean | undefined) => (passes === true ? 'pass' : 'fail')

interface Shape {
  head: (report: Required<SampleReport>) => string
  row: (row: SampleRow, domain: string) => string
  open?: string
  declaration?: string
}

function written(shape: Shape, report: SampleReport): string {
  const full = { id: 'r-1', beginsAt: sampleBegin, endsAt: sampleEnd, policy: 'none', rows, ...report }
  const body = full.rows.map((row) => shape.row(row, full.domain)).join('\n')
  const { declaration = '<?xml version="1.0" encoding="UTF-8" ?>', open = '<feedback>' } = shape
  return `${declaration}\n${open}\n${shape.head(full)}\n${body}\n</feedback>\n`
}

function row7489({ ip, count, from, disposition, spf, dkim }: SampleRow, domain: string, extra = ''): string {
  return `  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${count}</count>
      <policy_evaluated>
        <disposition>${disposition ?? 'none'}</disposition>
        <dkim>${word(dkim)}</dkim>
        <spf>${word(spf)}</spf>
      </policy_evaluated>
    </row>
    <identifiers>
      ${extra}<header_from>${from ?? domain}</header_from>
    </identifiers>
    <auth_results>
      <dkim><domain>${domain}</domain><result>${word(dkim)}</result><selector>s1</selector></dkim>
      <spf><domain>${domain}</domain><result>${word(spf)}</result></spf>
    </auth_results>
  </record>`
}

interface Reporter {
  org: string
  email: string
  contact?: string
}

function head7489({ org, email, contact = '' }: Reporter, report: Required<SampleReport>, policy = ''): string {
  return `  <report_metadata>
    <org_name>${org}</org_name>
    <email>${email}</email>
    ${contact}<report_id>${report.id}</report_id>
    <date_range>
      <begin>${report.beginsAt}</begin>
      <end>${report.endsAt}</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>${report.domain}</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>${report.policy}</p>
    ${policy}
  </policy_published>`
}

const google = { org: 'google.com', email: 'dmarc@google.example.com' }
const microsoft = { org: 'Enterprise Outlook', email: 'dmarc@microsoft.example.com' }
const yahoo = { org: 'Yahoo', email: 'dmarc@yahoo.example.com' }
const mailRu = { org: 'Mail.Ru', email: 'dmarc@mailru.example.com' }
const fastmail = { org: 'Fastmail Pty Ltd', email: 'reports@fastmail.example.com' }

export const dmarcSamples = {
  google: (report: SampleReport) =>
    written(
      {
        head: (full) =>
          head7489(
            { ...google, contact: '<extra_contact_info>https://google.example.com/help</extra_contact_info>\n    ' },
            full,
            '<sp>none</sp>\n    <pct>100</pct>\n    <np>none</np>',
          ),
        row: row7489,
      },
      report,
    ),
  microsoft: (report: SampleReport) =>
    written(
      {
        declaration: '<?xml version="1.0"?>',
        open: '<feedback xmlns:xsd="https://x.example.com/xsd" xmlns:xsi="https://x.example.com/xsi">\n  <version>1.0</version>',
        head: (full) => head7489(microsoft, full, '<sp>quarantine</sp>\n    <pct>100</pct>\n    <fo>0</fo>'),
        row: (row, domain) =>
          row7489(row, domain, '<envelope_to>hotmail.example.com</envelope_to><envelope_from>b.test</envelope_from>'),
      },
      report,
    ),
  yahoo: (report: SampleReport) =>
    written(
      {
        declaration: '<?xml version="1.0"?>',
        head: (full) => head7489(yahoo, { ...full, id: `${full.id}.173219` }, '<pct>100</pct>'),
        row: row7489,
      },
      report,
    ),
  mailRu: (report: SampleReport) =>
    written(
      {
        declaration: '<?xml version="1.0" encoding="utf-8"?>',
        head: (full) => head7489(mailRu, full, '<sp>none</sp><pct>100</pct>'),
        row: (row, domain) => row7489(row, domain).replaceAll(/>\s+</g, '><'),
      },
      report,
    ),
  fastmail: (report: SampleReport) =>
    written(
      {
        declaration: '<?xml version="1.0"?>',
        open: '<feedback>\n  <version>0.1</version>',
        head: (full) => head7489(fastmail, full, '<sp></sp><pct>100</pct><fo>1</fo>'),
        row: (row, domain) => row7489(row, domain, `<envelope_from>bounce.${domain}</envelope_from>`),
      },
      report,
    ),
  /** The shape of RFC 9990: a namespace, new elements, an extension, and `pass` as a disposition. */
  rfc9990: (report: SampleReport) =>
    written(
      {
        open: '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0" xmlns:ext="https://ext.example.com/arc">\n  <version>1.0</version>',
        head: (full) => `  <report_metadata>
    <org_name>Sample Reporter</org_name>
    <email>reports@reporter.example.com</email>
    <report_id>${full.id}@reporter.example.com</report_id>
    <date_range><begin>${full.beginsAt}</begin><end>${full.endsAt}</end></date_range>
    <error>The record was read twice.</error>
    <generator>Sample 1.0</generator>
  </report_metadata>
  <policy_published>
    <domain>${full.domain}</domain>
    <discovery_method>treewalk</discovery_method>
    <p>${full.policy}</p><sp>reject</sp><np>reject</np><fo>1</fo><adkim>s</adkim><aspf>r</aspf><testing>n</testing>
  </policy_published>
  <extension><ext:domain>other.example.net</ext:domain></extension>`,
        row: (row, domain) =>
          row7489({ disposition: 'pass', ...row }, domain).replace(
            '</auth_results>',
            '</auth_results>\n    <ext:row><ext:count>99</ext:count></ext:row>',
          ),
      },
      report,
    ),
}

export function gzipped(xml: string): Buffer {
  return gzipSync(Buffer.from(xml))
}

export function zipped(xml: string, name = 'report.xml'): Buffer {
  return Buffer.from(zipSync({ [name]: Buffer.from(xml) }))
}
