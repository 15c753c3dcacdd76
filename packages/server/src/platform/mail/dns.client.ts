import { Resolver } from 'node:dns/promises'
import { foreignText } from '../../ground/text/foreign-text.ts'

/** `none`: the name, or a record of that type, is not there. `unknown`: nobody could be asked. */
type DnsAnswer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'unknown'; message: string }

interface Dns {
  /** The strings of each record joined. */
  txt(name: string): Promise<DnsAnswer>
  /** Exchanges, best first; a null MX is the empty string. */
  mx(name: string): Promise<DnsAnswer>
  cname(name: string): Promise<DnsAnswer>
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
  }
}

async function ask(run: () => Promise<string[]>): Promise<DnsAnswer> {
  try {
    const values = await run()
    return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
    return absent.has(code) ? { kind: 'none' } : { kind: 'unknown', message: code }
  }
}
