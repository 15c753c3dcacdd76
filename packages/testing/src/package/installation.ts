import { existsSync } from 'node:fs'
import pg from 'pg'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { expectOk, type Caller } from '../kills/product-caller.ts'
import type { ImapDouble } from '../mail/imap-double.server.ts'
import type { AcceptedMail, SmtpDouble } from '../mail/smtp-double.server.ts'
import { anyTime } from '../schedules.ts'
import type { StartedPackage } from './installed-package.ts'

const log = createLogger('silent')
const acceptTriesMax = 3_000
const lookEveryMs = 100
const callTriesMax = 100
/** The gap between two messages. It is large enough that the server can be stopped between them. */
const gapSeconds = 1

/** The logins of the mail servers of an installation. */
export const mailUsers = { 'ada@sender.test': 'secret', 'bob@sender.test': 'secret' }

export function keyPrinted(server: StartedPackage, environment: 'live' | 'test'): string {
  const label = `${environment} key: `
  return server.printed.find((line) => line.startsWith(label))?.slice(label.length) ?? ''
}

/** Sends requests like an operator's script, and retries when the server asks to come later. */
export function createScriptCaller({ url }: StartedPackage, key: string): Caller {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    for (let tries = 0; ; tries++) {
      const sent = body === undefined ? { headers: { authorization: headers.authorization } } : { headers }
      const init = { method, ...sent, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answer = await fetch(url + path, init)
      const text = await answer.json()
      if (answer.status !== 429 || tries >= callTriesMax)
        return { status: answer.status, body: text as Record<string, unknown> }
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers.get('retry-after') ?? 1)))
    }
  }
}

/** Counts the rows of each table in a database that no server uses now. */
export async function countRows(dataDir: string): Promise<Record<string, number>> {
  if (!existsSync(dataDir)) throw new Error(`${dataDir} is not there`)
  const postgres = await startEmbeddedPostgres({ dataDir, log, kind: 'command' })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and relpersistence = 'p' order by 1`,
    )
    const counts: Record<string, number> = {}
    for (const { name } of rows)
      counts[name] = (await client.query<{ n: number }>(`select count(*)::int as n from "${name}"`)).rows[0]!.n
    return counts
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Connects a sender to the mail doubles and returns its id. */
async function connectSender(call: Caller, email: keyof typeof mailUsers, ports: Ports): Promise<string> {
  const server = (port: number) => ({
    host: '127.0.0.1',
    port,
    security: 'none',
    username: email,
    password: mailUsers[email],
  })
  const sender = await expectOk(
    call('POST', '/v2/sending-accounts', {
      email,
      fromName: 'Ada',
      provider: 'smtp',
      smtp: server(ports.smtp),
      imap: server(ports.imap),
      minGapSeconds: gapSeconds,
      maxGapSeconds: gapSeconds,
    }),
  )
  return String(sender['id'])
}

interface Ports {
  smtp: number
  imap: number
}

export interface FilledInstallation {
  /** A campaign of two steps without a wait, with ten leads and two seconds for each. */
  running: string
  /** A campaign in which one lead replied to its first message. The second message is due in an hour. */
  waiting: string
}

/** Fills an installation like one that is some days old: running campaigns, a reply, and resources of every kind. */
export async function fillInstallation(
  call: Caller,
  { smtp, imap }: { smtp: SmtpDouble; imap: ImapDouble },
  leads: readonly string[],
): Promise<FilledInstallation> {
  const ports = { smtp: smtp.port, imap: imap.port }
  await expectOk(call('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' }))
  await expectOk(call('POST', '/v2/templates', { name: 'Kept', subject: 'Hello', body: 'Hi {{ firstName }}.' }))
  await expectOk(call('POST', '/v2/suppressions', { email: 'never@r.test' }))
  const launch = async (name: string, senderId: string, wait: object, emails: readonly string[]) => {
    const steps = [
      { variants: [{ subject: `${name} {{ firstName }}`, body: 'The first message.' }] },
      { waitBefore: wait, variants: [{ body: 'The second message.' }] },
    ]
    const settings = { dailyLimit: null, dailyNewLeadLimit: null, bounceProtection: { enabled: false } }
    const body = { name, sendingAccountIds: [senderId], schedule: anyTime, settings, steps }
    const made = await expectOk(
      call('POST', '/v2/campaigns/launch', { ...body, leads: emails.map((email) => ({ email, firstName: 'First' })) }),
    )
    return String(made['id'])
  }
  const bob = await connectSender(call, 'bob@sender.test', ports)
  const waiting = await launch('Waiting', bob, { value: 1, unit: 'hours' }, ['grace@r.test', 'joan@r.test'])
  await acceptedBy(smtp, 2)
  const message = smtp.accepted.find(({ to }) => to.includes('grace@r.test'))!
  imap.deliver('bob@sender.test', answerTo(message))
  await untilReplied(call, waiting)
  const ada = await connectSender(call, 'ada@sender.test', ports)
  const running = await launch('Running', ada, { value: 0, unit: 'minutes' }, leads)
  return { running, waiting }
}

async function untilReplied(call: Caller, campaign: string): Promise<void> {
  for (let tries = 0; tries < acceptTriesMax; tries++) {
    const body = await expectOk(call('GET', `/v2/campaigns/${campaign}/leads?email=grace%40r.test`))
    if ((body['results'] as { status: string }[])[0]?.status === 'replied') return
    await new Promise((resolve) => setTimeout(resolve, 5 * lookEveryMs))
  }
  throw new Error('The answer was never heard.')
}

function answerTo({ messageId }: AcceptedMail): string {
  return [
    'From: Grace <grace@r.test>',
    'To: bob@sender.test',
    'Subject: Re: Waiting First',
    'Message-ID: <answer@r.test>',
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    '',
    'Tell me more.',
    '',
  ].join('\r\n')
}

/** Waits until the receiving server has accepted this many messages. */
export async function acceptedBy({ accepted }: SmtpDouble, count: number): Promise<void> {
  for (let tries = 0; accepted.length < count; tries++) {
    if (tries >= acceptTriesMax) throw new Error(`${accepted.length} of ${count} messages came.`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** Lists the address and step of each accepted message, including repeats. */
export function stepsReceived(accepted: readonly AcceptedMail[]): string[] {
  return accepted
    .flatMap(({ to, raw }) =>
      to.map((address) => `${address} ${/The (first|second) message/.exec(raw.toString())?.[1]}`),
    )
    .toSorted()
}
