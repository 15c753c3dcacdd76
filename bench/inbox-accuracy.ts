import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inspectMessage } from '@overture/mail-reading/classify/inspect.ts'
import type { Inspection } from '@overture/mail-reading/classify/inspect.ts'
import type { Bounce } from '@overture/mail-reading/reports/report.ts'

/**
 * Scores the inbox reader on folders of real mail: `node --import tsx bench/inbox-accuracy.ts FOLDER [--misses]`. FOLDER contains
 * `sisimai`, `bounce_email`, `discourse-reply-trimmer` … as their authors distribute them.
 */
const [folder = process.env['OVERTURE_MAIL_CORPORA'] ?? ''] = process.argv.slice(2)
const showMisses = process.argv.includes('--misses')

interface Expected {
  status: string
  replycode: string
  reason: string
  hardbounce: boolean
}

const misses: string[] = []
let slowestMs = 0
let slowest = ''

function main(): void {
  if (!existsSync(folder)) {
    console.log(`skipped: no folder of mail at "${folder}"`)
    return
  }
  const scores = [...scoreSisimai(), ...scoreBounceEmail(), ...scoreReplies(), ...scoreNonBounces()]
  for (const [name, good, all] of scores)
    console.log(
      `${name.padEnd(46)} ${String(good).padStart(4)} / ${String(all).padStart(4)}  ` +
        `${all === 0 ? '' : `${((100 * good) / all).toFixed(1)} %`}`,
    )
  console.log(`slowest message: ${slowestMs.toFixed(0)} ms (${slowest})`)
  if (showMisses) console.log(misses.join('\n'))
}

type Score = [string, number, number]

function scoreSisimai(): Score[] {
  const root = join(folder, 'sisimai')
  if (!existsSync(root)) return []
  const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Record<string, Expected[]>
  const count = {
    seen: [0, 0],
    type: [0, 0],
    decidedOtherwise: [0, 0],
    status: [0, 0],
    statusClass: [0, 0],
    reason: [0, 0],
    complaint: [0, 0],
    vacation: [0, 0],
    recipients: [0, 0],
  } satisfies Record<string, number[]>
  const tally = (name: keyof typeof count, good: boolean, note: string) => {
    count[name][1]!++
    if (good) count[name][0]!++
    else misses.push(`${name}: ${note}`)
  }
  for (const [file, wanted] of Object.entries(expected)) {
    const found = inspect(join(root, file))
    const reason = wanted[0]!.reason
    const seen = found.bounces.map((one) => `${one.recipient} ${one.status} ${one.smtpCode} ${one.type} ${one.reason}`)
    const due = wanted.map((one) => `${one.status} ${one.replycode} ${one.reason}${one.hardbounce ? ' hard' : ''}`)
    const note = `${file} found ${found.kind} ${seen.join(' | ')} wanted ${due.join(' | ')}`
    if (reason === 'vacation') tally('vacation', found.kind === 'auto_reply', note)
    else if (reason === 'feedback') tally('complaint', found.kind === 'complaint' || found.kind === 'unsubscribe', note)
    else if (reason !== 'delivered') {
      tally('seen', found.kind === 'bounce', note)
      tally('recipients', found.bounces.length === wanted.length, note)
      wanted.forEach((want, index) => {
        const got = found.bounces[index]
        if (decidedOtherwise(want, got)) tally('decidedOtherwise', true, note)
        else tally('type', got !== undefined && (got.type === 'hard') === want.hardbounce, note)
        if (/\.0\.9\d\d$/.test(want.status)) tally('statusClass', got?.status?.[0] === want.status[0], note)
        else tally('status', got?.status === want.status, note)
        if (!decidedOtherwise(want, got)) tally('reason', got?.reason === want.reason, note)
      })
    }
  }
  return Object.entries(count).map(([name, [good = 0, all = 0]]) => [`sisimai ${name}`, good, all])
}

// The collection classifies an unknown user as filtered unless the report shows RCPT. We do so only if the report shows that the
// message's text had been sent.
function decidedOtherwise(want: Expected, got: Bounce | undefined): boolean {
  return want.reason === 'filtered' && got?.reason === 'userunknown'
}

function scoreBounceEmail(): Score[] {
  const root = join(folder, 'bounce_email')
  if (!existsSync(root)) return []
  const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Record<
    string,
    { bounced: boolean; code?: string; type?: string }
  >
  const count = { seen: [0, 0], none: [0, 0], code: [0, 0], type: [0, 0] }
  for (const [file, wanted] of Object.entries(expected)) {
    if (!existsSync(join(root, file))) continue
    const found = inspect(join(root, file))
    const seen = found.bounces.map((one) => `${one.recipient} ${one.status} ${one.type} ${one.reason}`).join(' | ')
    const note = `bounce_email ${file} found ${found.kind} (${found.rule}) ${seen} wanted ${JSON.stringify(wanted)}`
    const add = (name: keyof typeof count, good: boolean) => {
      count[name][1]!++
      if (good) count[name][0]!++
      else misses.push(`${name}: ${note}`)
    }
    add(wanted.bounced ? 'seen' : 'none', (found.kind === 'bounce') === wanted.bounced)
    if (wanted.code !== undefined) add('code', found.bounces[0]?.status === wanted.code)
    if (wanted.type !== undefined) add('type', (found.bounces[0]?.type === 'hard') === (wanted.type === 'hard'))
  }
  return Object.entries(count).map(([name, [good = 0, all = 0]]) => [`bounce_email ${name}`, good, all])
}

function scoreReplies(): Score[] {
  const root = join(folder, 'discourse-reply-trimmer')
  const scores: Score[] = []
  if (existsSync(root)) {
    let exact = 0
    let kept = 0
    const files = readdirSync(join(root, 'emails'))
    for (const file of files) {
      const found = inspectText(readFileSync(join(root, 'emails', file), 'utf8'))
      const wanted = flat(readFileSync(join(root, 'trimmed', file), 'utf8'))
      const got = flat(found.reply?.text ?? '')
      if (got === wanted) exact++
      else
        misses.push(
          `reply: ${file}\n   wanted ${JSON.stringify(wanted.slice(-300))}\n   found  ${JSON.stringify(got.slice(-300))}`,
        )
      if (wanted.split(' ').every((word) => got.includes(word))) kept++
    }
    scores.push(['discourse reply text exact', exact, files.length], ['discourse reply text kept', kept, files.length])
  }
  const crisp = join(folder, 'crisp-reply')
  if (existsSync(crisp)) {
    const expected = JSON.parse(readFileSync(join(crisp, 'expected.json'), 'utf8')) as Record<
      string,
      { first_fragment?: string; fragment_text?: Record<string, string> }
    >
    let good = 0
    let all = 0
    for (const [name, wanted] of Object.entries(expected)) {
      const file = join(crisp, 'fixtures', `${name}.txt`)
      const first = wanted.first_fragment ?? wanted.fragment_text?.['0']
      if (!existsSync(file) || first === undefined) continue
      all++
      const got = flat(inspectText(readFileSync(file, 'utf8')).reply?.text ?? '')
      if (got.startsWith(flat(first).slice(0, 400))) good++
      else
        misses.push(
          `crisp: ${name} wanted ${JSON.stringify(flat(first).slice(0, 120))} found ${JSON.stringify(got.slice(0, 160))}`,
        )
    }
    scores.push(['crisp first text kept', good, all])
  }
  return scores
}

function scoreNonBounces(): Score[] {
  let good = 0
  let all = 0
  for (const name of [
    'ruby-mail',
    'mime4j',
    'stalwart-mail-parser',
    'nodemailer',
    'github-email_reply_parser',
    'quotequail',
  ]) {
    for (const file of filesBelow(join(folder, name)).filter((path) => /\.(?:eml|msg|txt|html)$/.test(path))) {
      all++
      const found = inspect(file)
      if (found.kind !== 'bounce') good++
      else misses.push(`called a bounce: ${relative(folder, file)} (${found.rule})`)
    }
  }
  return [['other mail not called a bounce (some are)', good, all]]
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function inspect(file: string): Inspection {
  const raw = readFileSync(file)
  const started = performance.now()
  const found = inspectMessage(raw)
  const tookMs = performance.now() - started
  if (tookMs > slowestMs) [slowestMs, slowest] = [tookMs, file]
  return found
}

function inspectText(text: string): Inspection {
  return inspectMessage(
    Buffer.from(
      `From: a@example.com\nTo: b@example.com\nSubject: Re: hello\nContent-Type: text/plain; charset=utf-8\n\n${text}`,
    ),
  )
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

main()
