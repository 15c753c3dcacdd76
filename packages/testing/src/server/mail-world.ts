import { receiveMessage } from '@overture/server/inbox/index.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { deliverDue, startDelivery } from '../delivery/delivery-by-hand.ts'
import type { SmtpDouble } from '../mail/smtp-double.server.ts'
import type { TestAnswer, TestServer } from '../server.ts'
import { startWholeServer } from './whole-server.ts'

/** The whole product in the live environment. Mail is sent and received only when a test calls it. */
export interface MailWorld {
  server: TestServer
  smtp: SmtpDouble
  live: (method: string, path: string, body?: unknown) => Promise<TestAnswer>
  /** Sends everything that is due at `now`. Each message is then sent or refused. */
  work: (now?: Date) => Promise<void>
  receiveAnswer(answer: LeadAnswer, tenant?: Tenant): Promise<void>
  /** A mail arrives in a mailbox. */
  receive(lines: readonly string[], senderId: string, tenant?: Tenant): Promise<void>
  stop(): Promise<void>
}

/** A lead's reply to a message that it received. */
export interface LeadAnswer {
  from: string
  /** The Message-ID of the message that the lead replies to. */
  to: string
  senderId: string
  headers?: readonly string[]
}

export async function startMailWorld(): Promise<MailWorld> {
  const server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  const { app, keys } = server
  const delivery = await startDelivery(app)
  const { smtp, tools } = delivery
  let [uid, answers] = [0, 0]
  const receive: MailWorld['receive'] = async (lines, senderId, tenant = server.tenant) => {
    const now = app.clock.now()
    const place = { sendingAccountId: senderId, folder: 'INBOX', junk: false, uid: ++uid, receivedAt: now, now }
    await receiveMessage(app, tenant, { ...place, raw: Buffer.from(lines.join('\r\n')) })
  }
  return {
    server,
    smtp,
    live: (method, path, body) => server.call(method, path, { key: keys.live, body }),
    async work(now = app.clock.now()) {
      await deliverDue(tools, server.tenant, now)
    },
    receive,
    async receiveAnswer({ from, to, senderId, headers = [] }, tenant) {
      answers++
      const lines = [
        `From: Ada <${from}>`,
        ...headers,
        'Subject: Re: Hello',
        `Message-ID: <question${answers}@acme.test>`,
        `In-Reply-To: ${to}`,
        `References: ${to}`,
        '',
        'Tell me more.',
      ]
      await receive(lines, senderId, tenant)
    },
    async stop() {
      await delivery.stop()
      await server.stop()
    },
  }
}
