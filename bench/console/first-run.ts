import { owner } from '@overture/testing/console/console.ts'
import type { DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { forwardTo, startTlsFront } from '@overture/testing/mail/tls-front.server.ts'
import type { Product } from './product.ts'
import { measureSeconds, type Results } from './results.ts'

/** From the printed setup link to a reply in the inbox. */
export async function firstRun(product: Product, results: Results): Promise<void> {
  const { page, clicks } = await product.openSignedOut()
  const seconds = await measureSeconds(async () => {
    await page.goto(product.setupLink)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Name').fill(owner.name)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Try it with simulated prospects' }).click()
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
  })
  const counted = await clicks()
  results.add({ job: '1 from the link to a reply', clicks: { counted, most: 5 }, seconds, secondsMost: 60 })
  await page.close()
}

const domain = 'company.test'
const host = `mail.${domain}`
const address = `ada@${domain}`
const password = 'secret'

/** Connects a mailbox by its address: servers, checks, records. */
export async function realMailbox(product: Product, dns: DnsDouble, results: Results): Promise<void> {
  const users = { [address]: password }
  const smtp = await startSmtpDouble({ security: 'tls', users })
  const imap = await startImapDouble({ users })
  const front = await startTlsFront(forwardTo(imap.port))
  dns.records = {
    A: { [host]: ['127.0.0.1'] },
    MX: { [domain]: [`10 ${host}`] },
    SRV: {
      [`_submissions._tcp.${domain}`]: [`0 1 ${smtp.port} ${host}`],
      [`_imaps._tcp.${domain}`]: [`0 1 ${front.port} ${host}`],
    },
    TXT: { [`_dmarc.${domain}`]: ['v=DMARC1; p=none'] },
  }
  const { page, clicks } = await product.open('live/sending-accounts/connect')
  const found = await measureSeconds(async () => {
    await page.getByLabel('Email address').fill(address)
    await page.getByLabel('SMTP server').waitFor()
  })
  results.add({ job: '1 servers of an address are found', seconds: found, secondsMost: 6 })
  const seconds = await measureSeconds(async () => {
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('link', { name: 'View sending account' }).click()
    const records = page.getByRole('list', { name: 'Domain health' })
    await records.getByRole('button', { name: 'Copy SPF record' }).click()
    await records.getByText('Copied').waitFor()
  })
  const counted = await clicks()
  results.add({
    job: '1 a mailbox, checked, a record copied',
    clicks: { counted, most: 4 },
    seconds,
    secondsMost: null,
  })
  await page.close()
  await Promise.all([smtp, front, imap].map((one) => one.stop()))
}
