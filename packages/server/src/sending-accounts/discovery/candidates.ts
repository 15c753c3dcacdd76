import { server, type ServerPair, type ServerTemplate } from './server-pair.ts'

interface Service {
  name: string
  port: number
  priority: number
  weight: number
}

/** Records of RFC 6186 and 8314: with TLS from the first byte, and with STARTTLS. */
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

/** The record that counts: lowest priority, then highest weight. A name that is a dot says that there is no service. */
export function bestService(records: readonly Service[]): Service | null {
  const [best] = [...records].sort((a, b) => a.priority - b.priority || b.weight - a.weight)
  return best === undefined || best.name === '' || best.name === '.' ? null : best
}

/** Ports that are knocked at, in order of preference. */
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

/** Where servers of a domain usually are, most likely first; its best exchange often does everything. */
export function usualServers(domain: string, exchange: string | null, places: Places) {
  const hosts = (own: string): string[] => [
    ...new Set([`${own}.${domain}`, `mail.${domain}`, ...(exchange === null ? [] : [exchange]), domain]),
  ]
  const at = (names: string[], doors: Places['smtp']): ServerTemplate[] =>
    names.flatMap((name) => doors.map(({ port, security }) => server(name, port, security)))
  return { smtp: at(hosts('smtp'), places.smtp), imap: at(hosts('imap'), places.imap) }
}

/** The servers' names where they are at somebody else's, whom nobody here knows. */
export function strangers({ smtp, imap }: ServerPair, domain: string): string[] {
  const hosts = [smtp?.host, imap?.host].flatMap((host) => host ?? [])
  return [...new Set(hosts)].filter((host) => host !== domain && !host.endsWith(`.${domain}`))
}
