import { server, type ServerPair, type ServerTemplate } from './server-pair.ts'

interface Service {
  name: string
  port: number
  priority: number
  weight: number
}

/** The records of RFC 6186 and 8314: with TLS from the first byte, and with STARTTLS. */
export const services = {
  smtp: [
    { label: '_submissions._tcp', security: 'tls' },
    { label: '_submission._tcp', security: 'starttls' },
  ],
  imap: [
    { label: '_imaps._tcp', security: 'tls' },
    { label: '_imap._tcp', security: 'starttls' },
  ],
} as const

/** Chooses the record with the lowest priority, then the highest weight. The name `.` means that there is no service. */
export function bestService(records: readonly Service[]): Service | null {
  const [best] = [...records].sort((a, b) => a.priority - b.priority || b.weight - a.weight)
  return best === undefined || best.name === '' || best.name === '.' ? null : best
}

/** The ports that are tried, in order of preference. */
export interface Places {
  https: number
  smtp: readonly { port: number; security: 'tls' | 'starttls' }[]
  imap: readonly { port: number; security: 'tls' | 'starttls' }[]
}

export const usualPlaces: Places = {
  https: 443,
  smtp: [
    { port: 465, security: 'tls' },
    { port: 587, security: 'starttls' },
  ],
  imap: [
    { port: 993, security: 'tls' },
    { port: 143, security: 'starttls' },
  ],
}

/** The usual servers of a domain, most likely first. The best mail exchange often serves everything. */
export function usualServers(domain: string, exchange: string | null, places: Places) {
  const hosts = (own: string): string[] => [
    ...new Set([`${own}.${domain}`, `mail.${domain}`, ...(exchange === null ? [] : [exchange]), domain]),
  ]
  const at = (names: string[], doors: Places['smtp']): ServerTemplate[] =>
    names.flatMap((name) => doors.map(({ port, security }) => server(name, port, security)))
  return { smtp: at(hosts('smtp'), places.smtp), imap: at(hosts('imap'), places.imap) }
}

/** The host names of servers outside the domain, whose owners are unknown to us. */
export function strangers({ smtp, imap }: ServerPair, domain: string): string[] {
  const hosts = [smtp?.host, imap?.host].flatMap((host) => host ?? [])
  return [...new Set(hosts)].filter((host) => host !== domain && !host.endsWith(`.${domain}`))
}
