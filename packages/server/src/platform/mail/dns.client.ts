import { Resolver } from 'node:dns/promises'
import { foreignText } from '@overture/ground/text/foreign-text.ts'

/** `none` means that the name, or a record of that type, does not exist. `unknown` means that no name server replied. */
type DnsAnswer<Value = string> =
  | { kind: 'found'; values: Value[] }
  | { kind: 'none' }
  | { kind: 'unknown'; message: string }

/** The host and port of a service. The name is empty if the service is declared absent (RFC 2782). */
interface ServiceRecord {
  name: string
  port: number
  priority: number
  weight: number
}

interface Dns {
  /** The strings of each record, joined. */
  txt(name: string): Promise<DnsAnswer>
  /** Exchanges, best first; a null MX is the empty string. */
  mx(name: string): Promise<DnsAnswer>
  cname(name: string): Promise<DnsAnswer>
  srv(name: string): Promise<DnsAnswer<ServiceRecord>>
  /** The IPv4 and IPv6 addresses of a name. */
  addresses(name: string): Promise<DnsAnswer>
  /** Cancels the open queries: each of them resolves to `unknown`. */
  cancel(): void
}

const queryTimeoutMs = 2_500
const tries = 2
/** The largest text record in characters: a DKIM key of 4,096 bits needs about 740. */
const recordLengthMax = 4_000
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Queries the given name servers (`host` or `host:port`), or the system's if the list is empty. */
export function createDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    txt: (name) =>
      ask(async () => (await resolver.resolveTxt(name)).map((parts) => foreignText(parts.join(''), recordLengthMax))),
    mx: (name) =>
      ask(async () => {
        const records = await resolver.resolveMx(name)
        return records.sort((a, b) => a.priority - b.priority).map((record) => record.exchange)
      }),
    cname: (name) => ask(() => resolver.resolveCname(name)),
    srv: (name) => ask(() => resolver.resolveSrv(name)),
    addresses: async (name) =>
      joined(await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])),
    cancel: () => resolver.cancel(),
  }
}

async function ask<Value>(run: () => Promise<Value[]>): Promise<DnsAnswer<Value>> {
  try {
    const values = await run()
    return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
    return absent.has(code) ? { kind: 'none' } : { kind: 'unknown', message: code }
  }
}

/** The values of two record types of a name. One type without a response does not hide the other. */
function joined(answers: readonly DnsAnswer[]): DnsAnswer {
  const values = answers.flatMap((answer) => (answer.kind === 'found' ? answer.values : []))
  if (values.length > 0) return { kind: 'found', values }
  return answers.find((answer) => answer.kind === 'unknown') ?? { kind: 'none' }
}
