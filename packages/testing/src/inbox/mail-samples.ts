import type { InboundKind } from '@overture/mail-reading/classify/classify.ts'
import type { Inspection } from '@overture/mail-reading/classify/inspect.ts'
import { refusalForms } from './refusal-forms.ts'

/** A mail sample, written in a short notation in the folder `samples`, and the message that it describes. */
export interface Sample {
  name: string
  wanted: string
  raw: Uint8Array
  /** The new text of a reply, without quoted text. */
  text: string
}

const who = 'ada@there.test'
const threaded = ['In-Reply-To: <out@example.com>', 'References: <out@example.com>']
const headersOf: Record<string, readonly string[]> = {
  o: ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All', ...threaded],
  v: ['Auto-Submitted: auto-replied (vacation)', 'Precedence: bulk', ...threaded],
  t: threaded,
  n: [],
}

/** The kind of mail by the first word of a line in `samples/answers`. */
export const kindsByWord: Readonly<Record<string, InboundKind>> = {
  auto: 'auto_reply',
  out: 'unsubscribe',
  reply: 'reply',
}

/**
 * Reads a file of delivery reports. A title is `=== name | type status, type …`, with `unnamed` if the report names no recipient, or
 * `| none kind`. Then come lines `F:` from, `S:` subject, `H:` header and `T: html` (or `T: raw`: a body with its own headers). A
 * line `D:` contains recipient (optional), action, status and diagnostic of a delivery status part. The text of the report comes
 * last.
 */
export function readReports(text: string): Sample[] {
  return splitBlocks(text).map(({ title, lines }) => {
    const [name = '', wanted = ''] = title.split(' | ')
    const { fields, body } = parseFields(lines)
    const all = (field: string) => fields.filter(([letter]) => letter === field).map(([, value]) => value)
    const statuses = all('D')
    const type = all('T')[0] ?? 'plain'
    const plain =
      type === 'raw'
        ? body
        : [`Content-Type: text/${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', ...body]
    const head = buildHead({ from: all('F')[0] ?? '', subject: all('S')[0] ?? '', headers: all('H') })
    const message = statuses.length === 0 ? [...head, ...plain] : [...head, ...buildReport(plain, statuses)]
    return { name, wanted, raw: Buffer.from(message.join('\r\n')), text: '' }
  })
}

/** Reads a file of answers, one per line: `kind day headers | subject | text`, with `\n` for a line break. */
export function readAnswers(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [head = '', subject = '', ...rest] = line.split(' | ')
      const [kind = '', day = '', headers = ''] = head.split(' ')
      const body = rest.join(' | ').replaceAll('\\n', '\n')
      return {
        name: `${subject} | ${body.slice(0, 100)}`,
        wanted: `${kind} ${day}`,
        raw: buildMessage({ subject, headers: headersOf[headers] ?? [], body, type: 'plain' }),
        text: '',
      }
    })
}

/** Reads a file of replies: `=== name`, then the body. Lines of `%%` begin and end quoted text, or `=>` is in front of the new text. */
export function readReplies(text: string): Sample[] {
  return splitBlocks(text).map(({ title, lines }) => {
    const html = lines[0] === 'T: html'
    const arrow = lines.indexOf('=>')
    const input = lines.slice(html ? 1 : 0, arrow === -1 ? undefined : arrow)
    const parts = input.join('\n').split(/(?:^|\n)%%(?:\n|$)/)
    return {
      name: title,
      wanted: 'reply',
      raw: buildMessage({
        subject: 'Re: Hello',
        headers: threaded,
        body: parts.join('\n'),
        type: html ? 'html' : 'plain',
      }),
      text:
        arrow === -1
          ? parts
              .filter((_, at) => at % 2 === 0)
              .join('\n')
              .trim()
          : lines
              .slice(arrow + 1)
              .join('\n')
              .trim(),
    }
  })
}

function splitBlocks(text: string): { title: string; lines: string[] }[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...lines] = block.trimEnd().split('\n')
      return { title, lines }
    })
}

function parseFields(lines: string[]): { fields: [string, string][]; body: string[] } {
  const end = lines.findIndex((line) => !/^[FSHDT]: /.test(line))
  const head = end === -1 ? lines : lines.slice(0, end)
  return {
    fields: head.map((line) => [line[0]!, line.slice(3)]),
    body: end === -1 ? [] : lines.slice(end),
  }
}

function buildHead({
  from,
  subject,
  headers,
}: {
  from: string
  subject: string
  headers: readonly string[]
}): string[] {
  return [
    `From: ${encoded(from)}`,
    'To: sender@example.com',
    `Subject: ${encoded(subject)}`,
    'Date: Mon, 02 Mar 2026 09:00:00 +0100',
    'Message-ID: <in@there.test>',
    'MIME-Version: 1.0',
    ...headers,
  ]
}

// Encodes the display text of a header as encoded words if it is not ASCII. The address stays as it is.
function encoded(value: string): string {
  const [, words = value, address = ''] = /^(.*?)( <[^<>]*>)?$/.exec(value) ?? []
  // eslint-disable-next-line no-control-regex
  return /[^\x00-\x7f]/.test(words) ? `=?utf-8?B?${Buffer.from(words).toString('base64')}?=${address}` : value
}

function buildMessage(mail: { subject: string; headers: readonly string[]; body: string; type: string }): Uint8Array {
  const head = buildHead({ from: `Ada <${who}>`, subject: mail.subject, headers: mail.headers })
  return Buffer.from(
    [
      ...head,
      `Content-Type: text/${mail.type}; charset=utf-8`,
      'Content-Transfer-Encoding: 8bit',
      '',
      mail.body.replaceAll('\n', '\r\n'),
    ].join('\r\n'),
  )
}

function buildReport(plain: string[], statuses: string[]): string[] {
  const fields = statuses.flatMap((line) => {
    const [, to = who, action = '', status = '', diagnostic = ''] =
      /^(?:(\S+@\S+) )?(\S+) (\S+) ?(.*)$/.exec(line) ?? []
    return [
      '',
      `Final-Recipient: rfc822; ${to}`,
      `Action: ${action}`,
      `Status: ${status}`,
      ...(diagnostic === '' ? [] : [`Diagnostic-Code: ${diagnostic}`]),
    ]
  })
  return [
    'Content-Type: multipart/report; report-type=delivery-status; boundary="=_x"',
    '',
    '--=_x',
    ...plain,
    '--=_x',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns;mx.test',
    ...fields,
    '',
    '--=_x',
    'Content-Type: message/rfc822',
    '',
    'From: sender@example.com',
    `To: ${who}`,
    'Message-ID: <out@example.com>',
    'Subject: Hello',
    '',
    'Hi',
    '--=_x--',
  ]
}

/** Reads the samples of one file of the folder. The file's name decides the notation. */
export function parseSamples(file: string, text: string): Sample[] {
  if (file.startsWith('bounces')) return readReports(text)
  if (file.startsWith('refusals')) return readRefusals(text)
  return file.startsWith('answers') ? readAnswers(text) : readReplies(text)
}

/** Returns how the reader's result differs from the expectation of the sample, or null if it doesn't. */
export function findMiss(sample: Sample, found: Inspection): { wanted: string; found: string } | null {
  const [first = '', second = ''] = sample.wanted.split(' ')
  if (first === 'none')
    return check(second === '' ? found.kind !== 'bounce' : found.kind === second, sample.wanted, found.kind)
  const kind = kindsByWord[first]
  if (kind === undefined) return missOfReport(sample, found)
  if (sample.text !== '') {
    const text = flat(found.reply?.text ?? '')
    return check(found.kind === 'reply' && text === flat(sample.text), flat(sample.text), `${found.kind} ${text}`)
  }
  const until = first === 'auto' ? (found.awayUntil ?? '-') : '-'
  return check(found.kind === kind && until === second, sample.wanted, `${found.kind} ${until} (${found.rule})`)
}

function missOfReport(sample: Sample, found: Inspection): { wanted: string; found: string } | null {
  const wanted = sample.wanted.split(', ').map((one) => one.split(' '))
  const results = found.bounces.map((one) => `${one.recipient} ${one.type} ${one.status} ${one.smtpCode} ${one.reason}`)
  const fits =
    found.kind === 'bounce' &&
    found.bounces.length === wanted.length &&
    wanted.every(([type, status, unnamed], at) => {
      const bounce = found.bounces[at]!
      return (
        bounce.type === type &&
        (bounce.recipient === null) === (unnamed === 'unnamed') &&
        (status === undefined || bounce.status === status)
      )
    })
  return check(fits, sample.wanted, `${found.kind} (${found.rule}) ${results.join(' | ')}`)
}

function check(good: boolean, wanted: string, found: string): { wanted: string; found: string } | null {
  return good ? null : { wanted, found }
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Reads a file of refusals, one per line: `type form,form | answer`. Each form is a report program of `refusal-forms.ts`. */
function readRefusals(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [head = '', answer = ''] = line.split(' | ')
      const [type = '', forms = ''] = head.split(' ')
      const status = /[45]\.\d{1,3}\.\d{1,3}/.exec(answer)?.[0] ?? `${answer[0]}.0.0`
      return forms.split(',').map((form) => {
        const report = refusalForms[form]!({ to: who, answer, status }).join('\n')
        return readReports(`=== ${form}: ${answer} | ${type}\n${report}`)[0]!
      })
    })
}
