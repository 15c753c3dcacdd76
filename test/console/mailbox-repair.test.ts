import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startDnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'

const address = 'ada@company.test'
const password = 'secret'
const dns = await startDnsDouble({})

/** A port of this machine on which no program listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describeConsole(
  'repairing a mailbox',
  (world) => {
    let smtp: SmtpDouble
    let imap: ImapDouble
    beforeAll(async () => {
      smtp = await startSmtpDouble({ users: { [address]: password } })
      imap = await startImapDouble({ users: { [address]: password } })
    })
    afterAll(() => Promise.all([smtp, imap, dns].map((one) => one?.stop())))

    test('a wrong port is said in plain words, and is corrected in place without a proof', async () => {
      const page = await world().page()
      page.expectProblem(/status of 409/)
      const wrong = await closedPort()
      const fillIn = async () => {
        await page.goto(`${world().url}/app/live/sending-accounts/connect`)
        await page.getByLabel('Email address').fill(address)
        await page.getByText('No servers found').waitFor()
        await page.getByLabel('SMTP server').fill('127.0.0.1')
        await page.getByLabel('SMTP port').fill(String(wrong))
        await page.getByLabel('Security').first().selectOption('None')
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
      }
      await fillIn()
      await page.getByText(`The server 127.0.0.1 does not accept connections on port ${wrong}.`).first().waitFor()
      const technical = page.getByText('ECONNREFUSED').first()
      expect(await technical.isVisible()).toBe(false)
      await page.getByText('Details', { exact: true }).first().click()
      await technical.waitFor()
      const again = page.waitForResponse((response) => response.url().endsWith('/verify'))
      await page.getByRole('button', { name: 'Check again' }).click()
      await again

      await fillIn()
      await page.getByText(`${address} is already one of your sending accounts.`).waitFor()
      await page.getByRole('link', { name: 'Change servers or password' }).click()
      await page.getByRole('heading', { name: address, level: 1 }).waitFor()
      expect(await page.getByLabel('SMTP port').inputValue()).toBe(String(wrong))
      await page.getByLabel('SMTP port').fill(String(smtp.port))
      await page.getByLabel('IMAP server').fill('127.0.0.1')
      await page.getByLabel('IMAP port').fill(String(imap.port))
      await page.getByLabel('Security').nth(1).selectOption('None')
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Save and check' }).click()
      const checks = page.getByRole('list', { name: 'Checks' })
      await holds(async () => (await checks.getByText('passed').count()) === 5)
      await page.getByRole('button', { name: 'Save and check' }).waitFor({ state: 'detached' })
      const [sender] = await world().live.sendingAccounts.list().toArray()
      expect(sender).toMatchObject({ email: address, status: 'active', smtp: { port: smtp.port } })
    })

    test('an account that works is moved to another server only with a proof', async () => {
      const page = await world().page()
      page.expectProblem(/status of 400/)
      const [sender] = await world().live.sendingAccounts.list().toArray()
      await page.goto(`${world().url}/app/live/sending-accounts/${sender!.id}`)
      await page.getByRole('button', { name: 'Change servers or password' }).click()
      await page.getByLabel('SMTP server').fill('localhost')
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('Send the password again, because the server, login or security changes.').waitFor()
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByLabel('Your password', { exact: false }).fill(owner.password)
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByRole('button', { name: 'Save and check' }).waitFor({ state: 'detached' })
      expect((await world().live.sendingAccounts.get(sender!.id)).smtp?.host).toBe('localhost')
    })

    test('Google without a set-up server offers an app password and the instruction for the operator', async () => {
      const page = await world().page()
      await page.goto(`${world().url}/app/live/sending-accounts/connect`)
      await page.getByLabel('Email address').fill('ada@gmail.com')
      const guide = page.getByRole('region', { name: 'Connect Google' })
      await guide.getByText('is not set up on this server').waitFor()
      const links = guide.getByRole('link')
      const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
      expect(hrefs).toEqual([
        'https://myaccount.google.com/signinoptions/twosv',
        'https://myaccount.google.com/apppasswords',
      ])
      await guide.getByRole('button', { name: 'Copy the instruction' }).click()
      await guide.getByText('Copied').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain('GOOGLE_OAUTH_CLIENT_ID and GOOGLE_OAUTH_CLIENT_SECRET')
      expect(copied).toContain(`${world().url}/hooks/oauth/google`)
      expect(await page.getByLabel('SMTP server').isVisible()).toBe(false)
      await page.getByText('Advanced: mail servers').click()
      expect(await page.getByLabel('SMTP server').inputValue()).toBe('smtp.gmail.com')
    })

    test('the test environment says that nothing real is connected', async () => {
      const page = await world().page()
      await page.goto(`${world().url}/app/test/sending-accounts/connect`)
      await page.getByText('nothing real is connected').waitFor()
      await page.getByLabel('Email address').fill('ada@gmail.com')
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
    })
  },
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_DNS_SERVERS: dns.server } },
)
