import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { isObject } from '@overture/ground/json/object.ts'
import { withinTime } from '../platform/clock.ts'
import type { VerificationConfig } from '../platform/mail-config.ts'
import { responseText } from '../platform/response-text.client.ts'
import { type MailboxReply, readBouncer, readNeverBounce, readZeroBounce } from './mailbox-replies.ts'
import { verificationUrl } from './provider-urls.ts'

/** Each provider waits some ten seconds for the mail server. */
const timeoutMs = 20_000
const replyBytesMax = 64 * 1024
/** Addresses that are asked at the same time. */
const asksAtOnceMax = 5
/** Statuses after which another call would be refused as well: a wrong key, no credits, too many calls. */
const refusals = new Set([401, 402, 403, 429])

interface ProviderCall {
  url: string
  method?: 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

interface MailboxProvider {
  call(this: void, email: string, config: { baseUrl: string; apiKey: string }): ProviderCall
  read(this: void, body: Record<string, unknown>): MailboxReply
}

const providers: Readonly<Record<VerificationConfig['provider'], MailboxProvider>> = {
  zerobounce: {
    call(email, { baseUrl, apiKey }) {
      const query = new URLSearchParams({ api_key: apiKey, email, ip_address: '' })
      return { url: `${baseUrl}/v2/validate?${query.toString()}` }
    },
    read: readZeroBounce,
  },
  neverbounce: {
    call(email, { baseUrl, apiKey }) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ key: apiKey, email })
      return { url: `${baseUrl}/v4.2/single/check`, method: 'POST', headers, body }
    },
    read: readNeverBounce,
  },
  bouncer: {
    call(email, { baseUrl, apiKey }) {
      const query = new URLSearchParams({ email })
      return { url: `${baseUrl}/v1.1/email/verify?${query.toString()}`, headers: { 'x-api-key': apiKey } }
    },
    read: readBouncer,
  },
}

interface AskedMailboxes {
  replies: Map<string, MailboxReply>
  /** Why the provider failed for some address, without the address and the key. Null if it never failed. */
  failure: string | null
}

/** Asks the provider about addresses. After a refusal of the key or of the pace the rest is not asked. */
export async function askMailboxes(
  config: VerificationConfig,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<AskedMailboxes> {
  const replies = new Map<string, MailboxReply>()
  let failure: string | null = null
  let isRefused = false
  await forEachConcurrently(emails, asksAtOnceMax, async (email) => {
    const answer = isRefused || signal.aborted ? null : await askMailbox(config, email, signal)
    replies.set(email, answer?.reply ?? { kind: 'later' })
    failure = answer?.failure ?? failure
    isRefused ||= answer?.isRefusal === true
  })
  return { replies, failure }
}

interface MailboxAnswer {
  reply: MailboxReply
  failure: string | null
  isRefusal: boolean
}

async function askMailbox(config: VerificationConfig, email: string, signal: AbortSignal): Promise<MailboxAnswer> {
  const provider = providers[config.provider]
  const { url, ...call } = provider.call(email, { apiKey: config.apiKey, baseUrl: verificationUrl(config) })
  try {
    const headers = { accept: 'application/json', ...call.headers }
    const { status, text } = await withinTime(timeoutMs, signal, async (within) => {
      const response = await fetch(url, { ...call, headers, redirect: 'error', signal: within })
      return { status: response.status, text: await responseText(response, replyBytesMax) }
    })
    if (status !== 200) return failed(`status ${status}`, refusals.has(status))
    const body = parse(text)
    const reply = body === null ? null : provider.read(body)
    if (reply === null) return failed('unreadable body', false)
    const refused = body?.['status'] === 'auth_failure' || body?.['status'] === 'throttle_triggered'
    return { reply, failure: refused ? String(body['status']) : null, isRefusal: refused }
  } catch (error) {
    // The message of a failed fetch may contain the URL with the key.
    return failed((error as Error).name, false)
  }
}

function failed(failure: string, isRefusal: boolean): MailboxAnswer {
  return { reply: { kind: 'later' }, failure, isRefusal }
}

function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
