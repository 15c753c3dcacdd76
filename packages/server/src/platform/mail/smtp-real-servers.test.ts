import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { loopback } from '@overture/testing/mail/reach.ts'
import { mtaAvailable, startMta } from '@overture/testing/mail/real-mta.server.ts'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createSmtpPool } from './smtp-pool.client.ts'
import { lacks } from '@overture/testing/tools.ts'

const names = ['postfix', 'exim', 'opensmtpd'] as const
const waitsMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }
const messages = 30

let dns: DnsDouble | null = null
const dnsHost = `127.${1 + (process.pid % 250)}.${1 + ((process.pid >> 8) % 250)}.54`

beforeAll(async () => {
  if (names.some(mtaAvailable)) dns = await startDnsDouble({}, { host: dnsHost, port: 53 })
})
afterAll(() => dns?.stop())

for (const name of names) {
  const available = mtaAvailable(name)
  if (!available)
    process.stdout.write(`skipped: a row of messages to ${name}, which .ci/mail-servers did not unpack here\n`)
  test.skipIf(lacks('Postfix, Exim and OpenSMTPD', available))(
    `${name} accepts an envelope together with the previous message's end`,
    async () => {
      const next = await startSmtpDouble()
      const mta = await startMta(name, { sink: next.port, refusing: next.port, small: next.port, dnsHost })
      const pool = createSmtpPool({ connectionsMax: 1, messagesPerConnectionMax: 1_000, idleCloseMs: 60_000 })
      try {
        const connect = () =>
          Promise.resolve({
            host: '127.0.0.1',
            port: mta.port,
            security: 'none' as const,
            auth: null,
            timeoutsMs: waitsMs,
            reach: loopback,
          })
        const results = await Promise.all(
          Array.from({ length: messages }, (_, n) =>
            pool.send({ key: 'lane', version: 1 }, connect, {
              envelope: { from: 'sender@sender.test', to: [`p${n}@away.test`] },
              raw: Buffer.from(`From: sender@sender.test\r\nMessage-ID: <row-${n}@sender.test>\r\n\r\nHello ${n}\r\n`),
              gate: () => Promise.resolve(true),
            }),
          ),
        )
        expect(
          results.map(({ kind }) => kind),
          mta.log(),
        ).toEqual(results.map(() => 'accepted'))
        const expected = results.map((_, n) => `<row-${n}@sender.test>`).sort()
        const arrived = () => next.accepted.map(({ messageId }) => messageId ?? '').sort()
        await vi.waitFor(() => expect(arrived()).toEqual(expected), { timeout: 60_000, interval: 100 })
      } finally {
        await pool.close()
        await mta.stop()
        await next.stop()
      }
    },
    120_000,
  )
}
