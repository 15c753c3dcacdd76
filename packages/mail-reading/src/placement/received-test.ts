import type { AuthenticationResult } from '@overture/contract/placement/placement-tests.ts'
import { authenticationResults } from '@overture/contract/placement/placement-tests.ts'
import { splitResults } from '../mime/authentication-results.ts'
import { readHeaders, type Header } from '../mime/mime-headers.ts'
import { SetAside, type SetAsideReason } from '../mime/mime-limits.ts'

/** The mailbox that a test message arrived in. */
export interface ReceivedAt {
  email: string
  /** The host of the IMAP server. */
  imapHost: string
}

/** The headers that a receiver wrote above a test message. */
export interface ReceivedTest {
  messageId: string | null
  /** Null if the receiver itself wrote no results. */
  results: Record<Method, AuthenticationResult | null> | null
  /**
   * Whether a DKIM signature that the receiver accepted covers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058, section 4).
   * Null if the receiver itself wrote no results.
   */
  optOutSigned: boolean | null
}

export type ReceivedTestReading =
  | { outcome: 'read'; test: ReceivedTest }
  | { outcome: 'set_aside'; reason: SetAsideReason }

const methods = ['spf', 'dkim', 'dmarc'] as const
type Method = (typeof methods)[number]

const headerCharsMax = 16_000
const signaturesMax = 20
const resultHeadersMax = 10
const messageIdCharsMax = 998

/** Servers put their headers above those of the message. The first of these is where the message itself begins. */
const ownHeaders = new Set(['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'x-overture-ref'])
const signedHeaders = ['list-unsubscribe', 'list-unsubscribe-post']

/** Reads the headers of a test message as it arrived. Linear in their length. */
export function readReceivedTest(raw: Uint8Array, at: ReceivedAt): ReceivedTestReading {
  try {
    const text = Buffer.from(raw).toString('latin1').replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    const { headers } = readHeaders(text)
    const messageId = headers.find(({ name }) => name === 'message-id')?.value.slice(0, messageIdCharsMax) ?? null
    const trace = headers.slice(
      0,
      headers.findIndex(({ name }) => ownHeaders.has(name)),
    )
    const results = findResults(trace, at)
    return {
      outcome: 'read',
      test: {
        messageId,
        results: results && { spf: best(results, 'spf'), dkim: best(results, 'dkim'), dmarc: best(results, 'dmarc') },
        optOutSigned: results && isOptOutSigned(headers, results),
      },
    }
  } catch (error) {
    if (error instanceof SetAside) return { outcome: 'set_aside', reason: error.reason }
    throw error
  }
}

interface Result {
  method: Method
  result: AuthenticationResult
  /** The domain that signed, for DKIM. */
  domain: string | null
}

/**
 * The results in the topmost Authentication-Results, if its server is the receiver's own. Filters of one server may write a header each,
 * so headers of the same server that follow belong to it. Results below those of another server are not believed.
 */
function findResults(trace: readonly Header[], at: ReceivedAt): Result[] | null {
  const found = trace.filter(({ name }) => name === 'authentication-results').slice(0, resultHeadersMax)
  const read = found.map(({ value }) => readResults(value))
  const [topmost] = read
  if (topmost === undefined || topmost === null || !isReceiver(topmost.server, trace, at)) return null
  const others = read.findIndex((one) => one?.server !== topmost.server)
  return read.slice(0, others === -1 ? read.length : others).flatMap((one) => one?.results ?? [])
}

function readResults(header: string): { server: string | null; results: Result[] } | null {
  if (header.length > headerCharsMax) return null
  const split = splitResults(header)
  return split && { server: split.server, results: split.results.flatMap((result) => readResult(result) ?? []) }
}

function readResult(text: string): Result | null {
  const [first = '', ...properties] = text.split(/\s+/)
  const match = /^(spf|dkim|dmarc)(?:\/\d{1,4})?=([a-z]{1,20})$/i.exec(first)
  const result = authenticationResults.find((one) => one === match?.[2]?.toLowerCase())
  if (match === null || result === undefined) return null
  const signed = properties.find((one) => /^header\.d=/i.test(one))
  return {
    method: match[1]!.toLowerCase() as Method,
    result,
    domain: signed?.slice('header.d='.length).toLowerCase() ?? null,
  }
}

/** Several signatures have a result each. One that passes is enough for a receiver. */
function best(results: readonly Result[], method: Method): AuthenticationResult | null {
  const own = results.filter((one) => one.method === method)
  return (own.find(({ result }) => result === 'pass') ?? own[0])?.result ?? null
}

/** Receivers whose servers have another name than their mailboxes. Microsoft leaves out the name. */
const known = [
  { imap: /(?:^|\.)(?:gmail|googlemail)\.com$/, server: /^mx\.google\.com$/ },
  { imap: /^outlook\.office365\.com$/, server: null },
  { imap: /^imap\.mail\.yahoo\.com$/, server: /(?:^|\.)yahoo\.com$/ },
  { imap: /^imap\.mail\.me\.com$/, server: /(?:^|\.)icloud\.com$/ },
]

function isReceiver(server: string | null, trace: readonly Header[], at: ReceivedAt): boolean {
  const receiver = known.find(({ imap }) => imap.test(at.imapHost.toLowerCase()))
  if (receiver !== undefined)
    return receiver.server === null ? server === null : server !== null && receiver.server.test(server)
  if (server === null) return false
  const domain = at.email.slice(at.email.lastIndexOf('@') + 1).toLowerCase()
  if (isBelow(server, domain) || isSameOrganization(server, at.imapHost.toLowerCase())) return true
  // The server that took the message last is the receiver's.
  const received = trace.find(({ name }) => name === 'received')?.value.slice(0, headerCharsMax) ?? ''
  return /\bby\s{1,9}([a-z\d.-]{1,255})/i.exec(received)?.[1]?.toLowerCase() === server
}

function isBelow(server: string, domain: string): boolean {
  return server === domain || server.endsWith(`.${domain}`)
}

const labelsMin = 2

function isSameOrganization(server: string, host: string): boolean {
  const labels = host.split('.')
  const parent = labels.length > labelsMin ? labels.slice(1).join('.') : host
  return server === host || isBelow(server, parent)
}

function isOptOutSigned(headers: readonly Header[], results: readonly Result[]): boolean {
  const passed = new Set(
    results.filter(({ method, result }) => method === 'dkim' && result === 'pass').map(({ domain }) => domain),
  )
  return headers
    .filter(({ name }) => name === 'dkim-signature')
    .slice(0, signaturesMax)
    .some(({ value }) => {
      const { d: domain = '', h = '' } = parseTags(value.slice(0, headerCharsMax))
      const names = new Set(h.toLowerCase().split(':'))
      return passed.has(domain.toLowerCase()) && signedHeaders.every((name) => names.has(name))
    })
}

/** The tags of a DKIM signature (RFC 6376, section 3.2), without white space. */
function parseTags(value: string): Record<string, string> {
  return Object.fromEntries(
    value.split(';').flatMap((tag) => {
      const at = tag.indexOf('=')
      return at < 0 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replaceAll(/\s+/g, '')] as const]
    }),
  )
}
