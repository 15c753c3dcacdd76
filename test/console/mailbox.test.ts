import { afterAll, beforeAll, expect, test } from 'vitest'
import { countClicks } from '@overture/testing/console/clicks.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startDnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { dovecotAvailable, startDovecot, type Dovecot } from '@overture/testing/mail/dovecot.server.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { forwardTo, startTlsFront, type TlsFront } from '@overture/testing/mail/tls-front.server.ts'

const domain = 'company.test'
const host = `mail.${domain}`
const address = `ada@${domain}`
const password = 'secret'
const dns = await startDnsDouble({})

describeConsole(
  'connecting a mailbox',
  (world) => {
    let smtp: SmtpDouble
    let imap: ImapDouble | Dovecot
    let front: TlsFront
    beforeAll(async () => {
      smtp = await startSmtpDouble({ security: 'tls', users: { [address]: password } })
      imap = dovecotAvailable() ? await startDovecot() : await startImapDouble({ users: { [address]: password } })
      front = await startTlsFront(forwardTo(imap.port))
      dns.records = {
        A: { [host]: ['127.0.0.1'] },
        MX: { [domain]: [`10 ${host}`] },
        SRV: {
          [`_submissions._tcp.${domain}`]: [`0 1 ${smtp.port} ${host}`],
          [`_imaps._tcp.${domain}`]: [`0 1 ${front.port} ${host}`],
        },
        TXT: { [`_dmarc.${domain}`]: ['v=DMARC1; p=none'] },
      }
    })
    afterAll(() => Promise.all([smtp, imap, front, dns].map((one) => one?.stop())))

    test('servers are found by the address, checks show results, and DNS records can be copied', async () => {
      const { live, url } = world()
      const page = await world().page()
      const clicks = await countClicks(page)
      await page.goto(`${url}/app/live/sending-accounts/connect`)
      await page.getByLabel('Email address').fill(address)
      await page.getByLabel('SMTP server').waitFor()
      expect(await page.getByLabel('SMTP server').inputValue()).toBe(host)
      expect(await page.getByLabel('IMAP server').inputValue()).toBe(host)
      expect(await page.getByLabel('SMTP port').inputValue()).toBe(String(smtp.port))

      const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
      const connect = async (secret: string): Promise<string[]> => {
        await page.getByLabel('Password').fill(secret)
        const verified = page.waitForResponse((response) => response.url().endsWith('/verify'))
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await verified
        await checks.first().waitFor()
        return checks.allInnerTexts()
      }
      const refused = await connect('not the password')
      expect(refused.map((line) => /passed|failed/.exec(line)?.[0])).toEqual(['passed', 'failed', 'passed', 'failed'])
      expect(refused[1]).toContain('SMTP login')
      expect(refused[3]).toContain('IMAP login')
      const home = await world().page()
      await home.goto(`${url}/app/live`)
      const needs = home.getByRole('list', { name: 'Needs attention' })
      await needs.getByText(`${address} can’t sign in to its mail server`).waitFor()
      await needs.getByRole('link', { name: 'Fix' }).click()
      await home.getByRole('heading', { name: address, level: 1 }).waitFor()
      await connect(password)
      await holds(async () => (await checks.getByText('passed').count()) === 5)
      expect(await checks.count()).toBe(5)

      await page.getByRole('link', { name: 'View sending account' }).click()
      await page.getByRole('heading', { name: address, level: 1 }).waitFor()
      const records = page.getByRole('list', { name: 'Domain health' })
      for (const record of ['SPF', 'DKIM', 'DMARC', 'MX'])
        await records.getByText(record, { exact: true }).first().waitFor()
      await records.getByRole('button', { name: 'Copy SPF record' }).click()
      await records.getByText('Copied').waitFor()
      // Two clicks on Connect (the first is refused), one to the records and one to copy the record.
      expect(await clicks()).toBe(4)
      const [sender] = await live.sendingAccounts.list().toArray()
      expect(sender).toMatchObject({ email: address, status: 'active' })
      const { spf } = await live.sendingAccounts.health(sender!.id)
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(spf.put!.value)
    })

    test('unknown servers are entered by hand, and a refusal loses no input', async () => {
      const page = await world().page()
      page.expectProblem(/status of 400/)
      await page.goto(`${world().url}/app/live/sending-accounts/connect`)
      await page.getByLabel('Email address').fill('ada@nowhere.test')
      await page.getByText('No servers found').waitFor()
      await page.getByLabel('SMTP server').fill('not a host')
      await page.getByLabel('SMTP port').fill('465')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('Not a host name or address.', { exact: true }).waitFor()
      expect(await page.getByLabel('SMTP server').inputValue()).toBe('not a host')
    })
  },
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_DNS_SERVERS: dns.server } },
)
