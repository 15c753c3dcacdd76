import { Parser } from 'htmlparser2'
import type { SmtpServer } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { wholeAddress, type ServerPair, type ServerTemplate } from './server-pair.ts'

/** The largest accepted autoconfig file. Those of the largest providers have 6 kB. */
export const autoconfigBytesMax = 64 * 1024
const serversMax = 20
const depthMax = 20
const valueLengthMax = 500

/** The URLs at which mail programs look for a domain's autoconfig file, https only. */
export function autoconfigUrls(email: string, domain: string, port: number): string[] {
  const place = port === 443 ? '' : `:${port}`
  const queryString = new URLSearchParams({ emailaddress: email }).toString()
  return [
    `https://autoconfig.${domain}${place}/mail/config-v1.1.xml?${queryString}`,
    `https://${domain}${place}/.well-known/autoconfig/mail/config-v1.1.xml?${queryString}`,
  ]
}

interface WrittenServer {
  side: 'smtp' | 'imap'
  values: Record<string, string>
}

const securities: Record<string, SmtpServer['security']> = { SSL: 'tls', STARTTLS: 'starttls' }

/**
 * The first servers in a file of Mozilla's format to which a password may be sent. The order of the file is the order of
 * preference. Null if there is none. The parser knows only the five entities of XML, so no entity can expand.
 */
export function readAutoconfig(text: string): ServerPair | null {
  const servers = readServers(text)
  const first = (side: WrittenServer['side']): ServerTemplate | null =>
    servers.filter((one) => one.side === side).flatMap(({ values }) => toTemplate(values) ?? [])[0] ?? null
  const pair = { smtp: first('smtp'), imap: first('imap') }
  return pair.smtp === null && pair.imap === null ? null : pair
}

function toTemplate(values: WrittenServer['values']): ServerTemplate | null {
  const security = securities[values['sockettype']?.toUpperCase() ?? '']
  const port = /^\d{1,5}$/.test(values['port'] ?? '') ? Number(values['port']) : null
  const host = values['hostname']
  if (security === undefined || port === null || host === undefined) return null
  return { host, port, security, username: values['username'] ?? wholeAddress }
}

function readServers(text: string): WrittenServer[] {
  const servers: WrittenServer[] = []
  const open: string[] = []
  let current: WrittenServer | null = null
  let root: string | null = null
  let value = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = name.toLowerCase()
        root ??= tag
        value = ''
        if (open.push(tag) > depthMax || root !== 'clientconfig') return parser.pause()
        const side = serverSide(tag, attributes['type'])
        if (side === null) return
        current = { side, values: {} }
        if (servers.push(current) > serversMax) parser.pause()
      },
      ontext(part) {
        if (value.length < valueLengthMax) value += part.slice(0, valueLengthMax)
      },
      onclosetag(name) {
        const tag = name.toLowerCase()
        open.pop()
        if (tag === 'incomingserver' || tag === 'outgoingserver') current = null
        else if (current !== null) current.values[tag] ??= value.trim()
        value = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  return servers
}

function serverSide(tag: string, type: string | undefined): WrittenServer['side'] | null {
  if (tag === 'incomingserver' && type === 'imap') return 'imap'
  return tag === 'outgoingserver' && type === 'smtp' ? 'smtp' : null
}
