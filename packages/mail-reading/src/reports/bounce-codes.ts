import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** The step at which the server refused. `data` is the command, `text` the answer after the message's text was sent. */
export type SmtpPhase = 'connect' | 'mail' | 'rcpt' | 'data' | 'text'

const enhanced = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/g

/** The enhanced status (RFC 3463) in a diagnostic text. A status beside the SMTP code and a specific status are preferred. */
export function statusInText(text: string): string | null {
  const beside = /(?<!\d)[45]\d\d[ -]{1,3}['"(#]{0,2}([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1]
  if (beside !== undefined && !isVague(beside)) return beside
  const all = [...text.matchAll(enhanced)].map((match) => match[1]!).filter((status) => !status.startsWith('2'))
  return all.find((status) => !isVague(status)) ?? beside ?? all[0] ?? null
}

/** `5.0.0`, and Microsoft's `5.0.350`, contain only the class. */
export function isVague(status: string): boolean {
  return /^[245]\.0\./.test(status)
}

/** A code after the words with which servers quote another server. */
const toldCode = sequence(
  [
    [
      /<<<|said:|says:|was:|returned:|error:|response:|answered:|reply:|replied:|failed with:/,
      /refused to talk to me:|\]:|message:|:|ResponseCode|(?:smtp|error) code/,
    ],
    /\s{0,10}['"[(]?([45][0-5]\d)(?=[\s\-,.:;#<'"\]])/,
  ],
  'i',
)

/** The SMTP reply code in a text. 2xx and 3xx never report a failure. */
export function codeInText(text: string): number | null {
  const leading = /^\s{0,20}(?:[\w-]{1,20};)?\s{0,20}([45][0-5]\d)(?=[\s\-,.:;#<'"]|$)/.exec(text)
  if (leading !== null) return Number(leading[1])
  const match = toldCode.exec(text)
  if (match !== null) return Number(match[1])
  const line = /(?:^|\n)[\s>*]{0,20}([45][0-5]\d)(?=[ -][^\d\n])/.exec(text)
  if (line !== null) return Number(line[1])
  const any = /(?<![\d.:/\w-])([45][0-5]\d)(?=[ -](?:#?[45]\.\d{1,3}\.|[<A-Za-z'"]))/.exec(text)
  return any === null ? null : Number(any[1])
}

/** The command at which the other side refused, in the words of Postfix, Exim, qmail, sendmail and others. */
export function phaseInText(text: string): SmtpPhase | null {
  const flat = text.slice(0, 20_000).replace(/\s+/g, ' ')
  return phases.find(([, pattern]) => pattern.test(flat))?.[0] ?? transcriptPhase(text)
}

const phases: readonly [SmtpPhase, RegExp][] = [
  [
    'text',
    anyOf(
      [
        /in reply to (?:the )?end of data|after end of data|\[(?:body|eod)\]|in response to end of data/,
        /after (?:i sent|sending) (?:the )?(?:message|data)|did not like our final data/,
      ],
      'i',
    ),
  ],
  [
    'data',
    anyOf(
      [
        /in reply to (?:the )?data|after (?:pipelined )?data|\[data\]|following data command/,
        /-SMTP command\s+DATA|in response to data|did not like our data/,
      ],
      'i',
    ),
  ],
  [
    'rcpt',
    anyOf(
      [
        /in reply to (?:the )?rcpt|after (?:pipelined )?rcpt to|does not like recipient/,
        /did not like our rcpt|rcpt to response|rcpt command|rejected (?:the )?(?:recipient )?address/,
        /in response to rcpt|recipient address rejected|recipnotfound|smtp error,? rcpt to/,
        /(?:sent|command):? rcpt to|\[rcpt_to\]|following rcpt command|rejected recipient|smtp[:;] ?rcpt\b/,
      ],
      'i',
    ),
  ],
  [
    'mail',
    anyOf(
      [
        /in reply to (?:the )?mail from|after (?:pipelined )?mail from|\[mail_from\]/,
        /following mail (?:from )?command|sender was rejected|did not like our mail from|rejected mail from/,
      ],
      'i',
    ),
  ],
  [
    'connect',
    anyOf(
      [
        /after initial connection|refused to talk to me|in reply to (?:the )?(?:ehlo|helo)/,
        /while performing the (?:ehlo|helo)|after (?:ehlo|helo)|but my name was rejected/,
      ],
      'i',
    ),
  ],
]

// sendmail prints the command before the answer. The full stop that ends the text is a command of its own.
function transcriptPhase(text: string): SmtpPhase | null {
  let last: SmtpPhase | null = null
  const lines = text.slice(0, 20_000).split('\n')
  for (const [at, line] of lines.entries()) {
    const command = />>> ?(RCPT|MAIL|DATA|EHLO|HELO|BDAT|\.)(?=\s|$|:)/i.exec(line)?.[1]?.toUpperCase()
    if (command !== undefined) last = commandPhases[command] ?? null
    else if (/<<< ?[45]\d\d/.test(line) && last !== null)
      return last === 'data' ? answeredCommand(lines.slice(at + 1, at + 1 + verdictLinesMax)) : last
  }
  return null
}

const commandPhases: Readonly<Record<string, SmtpPhase>> = {
  EHLO: 'connect',
  HELO: 'connect',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  BDAT: 'text',
  '.': 'text',
}
const verdictLinesMax = 4

// With pipelining the answer to RCPT is printed below DATA. sendmail's own verdict after it shows which command was answered.
function answeredCommand(next: readonly string[]): SmtpPhase {
  for (const line of next) {
    if (/^5\d\d 5\.1\.\d |<<< ?5\d\d .*(?:recipient|rcpt)/i.test(line)) return 'rcpt'
    if (/^5\d\d 5\.0\.0 /.test(line)) return 'text'
  }
  return 'data'
}
