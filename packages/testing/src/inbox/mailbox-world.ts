import { startImapProxy, type ImapProxy } from '../mail/imap-proxy.server.ts'
import type { TestServer } from '../server.ts'
import { insertContacted } from './inbox-fixtures.sql.ts'

/** An IMAP server with users' mail: a real one or a double. */
export interface MailServer {
  port: number
  deliver(user: string, raw: string, options?: { folder?: string; receivedAt?: Date }): unknown
  renewUidValidity(user: string): unknown
}

/** A sender's mailbox behind a proxy, and a campaign that has written to leads from it. */
export interface MailboxWorld {
  user: string
  senderId: string
  campaignId: string
  stepId: string
  proxy: ImapProxy
  mail: MailServer
  contact(name: string, status?: 'sent' | 'uncertain'): Promise<{ leadId: string; messageId: string }>
  /** The number of recorded replies by lead. */
  replies(): Promise<Record<string, number>>
}

let users = 0
export const newUser = () => `sender${++users}@example.com`
export const mailboxEmail = (user: string, name: string) => `${name}@${user.split('@')[0]}.test`
export const outgoingId = (user: string, name: string) => `<${name}.${user}>`

export const writeReply = (
  user: string,
  name: string,
  headers: readonly string[] = [`Message-ID: <answer.${name}.${user}>`],
) =>
  [
    `From: <${mailboxEmail(user, name)}>`,
    `To: ${user}`,
    'Subject: Re: Hello',
    ...headers,
    `In-Reply-To: ${outgoingId(user, name)}`,
    '',
    `Yes please, ${name}.`,
  ].join('\r\n')

/** `stops` collects the functions that release resources; call them in reverse order. */
export async function openMailboxWorld(
  server: TestServer,
  stops: (() => Promise<unknown>)[],
  { mail, user }: { mail: MailServer; user: string },
): Promise<MailboxWorld> {
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key: server.keys.live, body })
  const proxy = await startImapProxy(mail)
  stops.push(() => proxy.stop())
  const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
  const sender = await call('POST', '/v2/sending-accounts', {
    email: user,
    fromName: 'Sender',
    smtp: { ...login, port: 2525 },
    imap: { ...login, port: proxy.port },
  })
  const senderId: string = sender.body.id
  const campaign = await call('POST', '/v2/campaigns', {
    name: 'One',
    sendingAccountIds: [senderId],
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
  })
  if (campaign.status !== 201) throw new Error(campaign.text)
  const [campaignId, stepId]: [string, string] = [campaign.body.id, campaign.body.steps[0].id]
  stops.push(async () => void (await call('DELETE', `/v2/campaigns/${campaignId}`)))
  return {
    user,
    senderId,
    campaignId,
    stepId,
    proxy,
    mail,
    async contact(name, status = 'sent') {
      const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, {
        leads: [{ email: mailboxEmail(user, name) }],
      })
      const leadId: string = added.body.results[0].leadId
      const messageId = await insertContacted(server.app.db, server.tenant, {
        campaignId,
        leadId,
        stepId,
        sendingAccountId: senderId,
        rfcMessageId: outgoingId(user, name),
        status,
        at: new Date(server.app.clock.now().getTime() - 11 * 60_000),
      })
      return { leadId, messageId }
    },
    async replies() {
      const { results } = (await call('GET', `/v2/campaigns/${campaignId}/leads?limit=100`)).body
      return Object.fromEntries(
        results.map((one: { email: string; replyCount: number }) => [one.email.split('@')[0], one.replyCount]),
      )
    },
  }
}
