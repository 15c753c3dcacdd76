import { receiveMessage } from '@overture/server/inbox/index.ts'
import type { TestServer } from '../server.ts'
import { contactedLead, type ContactedLead } from './contacted-lead.ts'

/** A lead of the test environment that writes to us, and its conversation. */
export interface AnsweringLead extends ContactedLead {
  conversationId: string
  /** The address of the conversation in the API. */
  path: string
}

export interface LeadMail {
  text?: string
  subject?: string
  headers?: readonly string[]
  /** The whole content after the headers of the mail, with its own content type. */
  raw?: Buffer
  at?: Date
}

let uid = 0

/** Receives a mail from the lead, as an answer to the first message. */
export async function receiveFrom(
  server: TestServer,
  senderId: string,
  lead: Pick<ContactedLead, 'email' | 'rfcMessageId'>,
  mail: LeadMail = {},
): Promise<string> {
  uid++
  const at = mail.at ?? server.app.clock.now()
  const lines = [
    `From: <${lead.email}>`,
    'To: sender@example.com',
    `Subject: ${mail.subject ?? 'Re: Hello'}`,
    `Message-ID: <answer${uid}@there.test>`,
    `In-Reply-To: ${lead.rfcMessageId}`,
    `Date: ${at.toUTCString()}`,
    ...(mail.headers ?? []),
    ...(mail.raw === undefined ? ['', mail.text ?? 'Tell me more, please.'] : ['']),
  ]
  const raw = Buffer.concat([Buffer.from(lines.join('\r\n')), mail.raw ?? Buffer.alloc(0)])
  const place = { sendingAccountId: senderId, folder: 'INBOX', uid, junk: false, receivedAt: at, now: at }
  const received = await receiveMessage(server.app, server.testTenant, { ...place, raw })
  if (received.outcome !== 'stored') throw new Error(`The mail was not stored: ${received.outcome}`)
  return received.messageId
}

/** Creates a lead that was contacted a day ago and has answered. */
export async function answeringLead(
  server: TestServer,
  { senderId, now, mail = {}, ...options }: { senderId: string; now: Date; mail?: LeadMail; settings?: object },
): Promise<AnsweringLead> {
  const lead = await contactedLead(server, { senderId, now, ...options })
  await receiveFrom(server, senderId, lead, { at: now, ...mail })
  const found = await server.call('GET', `/v2/conversations?campaignId=${lead.campaignId}`, { key: server.keys.test })
  const conversationId: string = found.body.results[0].id
  return { ...lead, conversationId, path: `/v2/conversations/${conversationId}` }
}
