import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { mtaAvailable, startMta, type RealMta } from '@overture/testing/mail/real-mta.server.ts'
import type { MtaName } from '@overture/testing/mail/real-mta-setups.ts'
import { deliverThroughSieve, sieveAvailable } from '@overture/testing/mail/sieve.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { inspectMessage } from '@overture/mail-reading/classify/inspect.ts'
import { lacks } from '@overture/testing/tools.ts'

/** The expected results follow from the provoked failures. The servers write the reports themselves. */
type Expected = Record<string, 'hard' | 'soft' | 'block' | 'delayed'>

const refusals: [string, number, string][] = [
  ['unknown', 550, '5.1.1 <unknown@away.test>: Recipient address rejected: User unknown'],
  ['plain', 550, 'No such user here'],
  ['full', 552, '5.2.2 Mailbox full'],
  ['relay', 554, '5.7.1 <relay@away.test>: Relay access denied'],
  ['listed', 554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.dnsbl.test'],
  ['moved', 551, '5.1.6 User has moved'],
  ['busy', 451, '4.3.0 Try again later'],
  ['quota', 452, '4.2.2 Over quota'],
]
const failedAtOnce: Expected = {
  'unknown@away.test': 'hard',
  'plain@away.test': 'hard',
  'full@away.test': 'soft',
  'relay@away.test': 'block',
  'listed@away.test': 'block',
  'moved@away.test': 'hard',
  'ada@big.test': 'soft',
  'ada@no-such-domain.test': 'hard',
}
const local: Expected = { 'nobody1@local.test': 'hard', 'ada@local.test': 'soft' }
const givenUp: Expected = { 'busy@away.test': 'soft', 'quota@away.test': 'soft' }
const warned: Expected = { 'busy@away.test': 'delayed', 'quota@away.test': 'delayed' }

const servers: [MtaName, { failed: Expected; warned: Expected }][] = [
  ['postfix', { failed: { ...failedAtOnce, ...local, ...givenUp }, warned }],
  ['exim', { failed: { ...failedAtOnce, ...local, ...givenUp }, warned }],
  // OpenSMTPD only retries after some minutes.
  ['opensmtpd', { failed: failedAtOnce, warned }],
]

let dns: DnsDouble | null = null
const dnsHost = `127.${1 + (process.pid % 250)}.${1 + ((process.pid >> 8) % 250)}.53`

beforeAll(async () => {
  if (servers.some(([name]) => mtaAvailable(name))) dns = await startDnsDouble({}, { host: dnsHost, port: 53 })
})
afterAll(() => dns?.stop())

async function startNextHops(): Promise<{ sink: SmtpDouble; refusing: SmtpDouble; small: SmtpDouble }> {
  const [sink, refusing, small] = [
    await startSmtpDouble(),
    await startSmtpDouble(),
    await startSmtpDouble({ sizeMax: 2_000 }),
  ]
  refusing.faults = refusals.map(([who, code, text]) => ({
    stage: 'rcpt',
    only: `${who}@away.test`,
    action: { code, text },
  }))
  return { sink, refusing, small }
}

async function provoke(mta: RealMta, name: MtaName): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mta.port, ignoreTLS: true })
  const send = (to: string[], lines = 5) =>
    transport.sendMail({
      envelope: { from: 'sender@sender.test', to },
      from: 'sender@sender.test',
      to: to.join(', '),
      subject: 'Hello',
      messageId: `<${to.join('.').replaceAll('@', '-')}@sender.test>`,
      text: 'Hi\n'.repeat(lines),
    })
  for (const [who] of refusals) await send([`${who}@away.test`])
  await send(['unknown@away.test', 'full@away.test', 'good@away.test'])
  await send(['ada@big.test'], 1_000)
  await send(['ada@no-such-domain.test'])
  if (name !== 'opensmtpd') {
    await send(['nobody1@local.test'])
    await send(['ada@local.test'], 1_000)
  }
}

describe.concurrent('delivery reports of real servers', () => {
  for (const [name, expected] of servers) {
    const available = mtaAvailable(name)
    test.skipIf(lacks('Postfix, Exim and OpenSMTPD', available))(
      `${name}`,
      async () => {
        const { sink, refusing, small } = await startNextHops()
        const mta = await startMta(name, { sink: sink.port, refusing: refusing.port, small: small.port, dnsHost })
        try {
          await provoke(mta, name)
          const read = () => sink.accepted.map(({ raw }) => inspectMessage(raw))
          const reported = () => {
            const singles = read().flatMap(({ bounces }) => (bounces.length === 1 ? bounces : []))
            const of = (wanted: (type: string) => boolean) =>
              Object.fromEntries(
                singles.filter((one) => wanted(one.type)).map((one) => [one.recipient ?? '', one.type]),
              )
            return { failed: of((type) => type !== 'delayed'), warned: of((type) => type === 'delayed') }
          }
          await vi.waitFor(() => expect(reported()).toMatchObject(expected), { timeout: 90_000, interval: 250 })
          const reports = read()
          expect(reports.map((report) => report.kind)).toEqual(reports.map(() => 'bounce'))
          const several = reports.find(({ bounces }) => bounces.length === 2)
          expect(new Map(several?.bounces.map((one) => [one.recipient, one.type]))).toEqual(
            new Map([
              ['unknown@away.test', 'hard'],
              ['full@away.test', 'soft'],
            ]),
          )
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${mta.log().slice(-4_000)}`, { cause: error })
        } finally {
          await mta.stop()
          for (const double of [sink, refusing, small]) await double.stop()
        }
      },
      120_000,
    )
  }
})

describe.skipIf(lacks('Sieve', sieveAvailable()))('absence notes of Sieve', () => {
  const ahead = (days: number) => new Date(Date.parse(new Date().toISOString()) + days * 86_400_000)
  const day = ahead(12)
  const iso = day.toISOString().slice(0, 10)
  const german = `${day.getUTCDate()}.${day.getUTCMonth() + 1}.${day.getUTCFullYear()}`
  const english = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

  test.each([
    ['plain', 'vacation "I am away.";', null],
    ['with a subject and a date', `vacation :days 1 :subject "Gone fishing" "I am away until ${english}.";`, iso],
    ['in German', `vacation :subject "Abwesend" "Ich bin bis ${german} im Urlaub.";`, iso],
    [
      'as MIME',
      'vacation :mime text:\nContent-Type: text/plain; charset=utf-8\n' +
        `Content-Transfer-Encoding: quoted-printable\n\nBin bis =C3=BCber den ${german} hinaus weg.\n.\n;`,
      iso,
    ],
  ])('%s', async (_, command, awayUntil) => {
    const sink = await startSmtpDouble()
    try {
      const { exitCode, log } = await deliverThroughSieve({
        script: `require ["vacation"];\n${command}\n`,
        to: 'ada@there.test',
        from: 'sender@example.com',
        raw: 'From: sender@example.com\nTo: ada@there.test\nSubject: Hello\nMessage-ID: <out@example.com>\n\nHi\n',
        smtpPort: sink.port,
      })
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 })
      expect(sink.accepted).toHaveLength(1)
      expect(inspectMessage(sink.accepted[0]!.raw)).toMatchObject({
        kind: 'auto_reply',
        bounces: [],
        awayUntil,
        headers: { from: 'ada@there.test', inReplyTo: '<out@example.com>' },
      })
    } finally {
      await sink.stop()
    }
  })
})
