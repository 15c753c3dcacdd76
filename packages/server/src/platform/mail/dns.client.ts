import { Resolver } from 'node:dns/promises'
import { foreignText } from '../../ground/text/foreign-text.ts'

/** `none`: the name, or a record of that type, is not there. `unknown`: nobody could be asked. */
type DnsAnswer<Value = string> =
  | { kind: 'found'; values: Value[] }
  | { kind: 'none' }
  | { kind: 'unknown'; message: string }

/** A service's place; the name is empty where the service is said not to be there (RFC 2782). */
interface ServiceRecord {
  name: string
  port: number
  priority: number
  weight: number
}

interface Dns {
  /** The strings of each record joined. */
  txt(name: string): Promise<DnsAnswer>
  /** Exchanges, best first; a null MX is the empty string. */
  mx(name: string): Promise<DnsAnswer>
  cname(name: string): Promise<DnsAnswer>
  srv(name: string): Promise<DnsAnswer<ServiceRecord>>
  /** Asks no further: whatever is still asked for is `unknown`. */
  cancel(): void
}

const queryTimeoutMs = 2_500
const tries = 2
/** Of a text record: a DKIM key of 4,096 bits takes some 740. */
const recordLengthMax = 4_000
const absent = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks the given name servers (`host` or `host:port`), or the system's when there are none. */
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
