import { expiresSoon } from '@overture/server/sending-accounts/sender-warnings.ts'
import type { ReplicaLook } from '@overture/server/platform/replica/replica.client.ts'
import { broken, ok, warning, type Check } from './checks.ts'

/** Judges the surroundings of the server by facts that were collected before. */

const gibibyte = 1024 ** 3
const freeShareMin = 0.05
const freeBytesMin = gibibyte
const backupDaysMax = 2
const dayMs = 24 * 60 * 60 * 1000
const othersMode = 0o077
/** Connections besides the pool: one that listens for notifications, and one of the thread that follows the index of people. */
const connectionsBesidePool = 2

export function checkPooler(isPooling: boolean): Check {
  const name = 'pooler'
  if (!isPooling) return ok(name, 'sessions are ours alone')
  return broken(
    name,
    'something before the database lends connections by transaction: one account could see what another set',
    'let it pool sessions (pgbouncer: pool_mode = session), or name PostgreSQL itself in DATABASE_URL',
  )
}

export function checkReplica({ state, reason, isUnfit }: ReplicaLook): Check {
  const name = 'replica'
  if (state === 'follows') return ok(name, 'has what was written, and is read')
  const told = `DATABASE_REPLICA_URL: ${reason}`
  if (isUnfit)
    return broken(
      name,
      told,
      'name one that follows, or leave DATABASE_REPLICA_URL out: no start goes on with this one',
    )
  const fix =
    state === 'lags'
      ? 'see pg_stat_replication where DATABASE_URL leads; it has to keep up, or OVERTURE_REPLICA_LAG_MS_MAX to allow for more'
      : 'start it, and see that DATABASE_REPLICA_URL leads to it and may be used; until then DATABASE_URL answers all reads'
  return warning(name, told, fix)
}

export interface ConnectionFacts {
  /** Connections for users who are not superusers. */
  max: number
  nodes: number
  poolSize: number
}

export function checkConnections({ max, nodes, poolSize }: ConnectionFacts): Check {
  const needed = nodes * (poolSize + connectionsBesidePool) + 1
  const told = `${nodes} ${nodes === 1 ? 'process' : 'processes'} and a command take up to ${needed} of ${max}`
  if (needed <= max) return ok('connections', told)
  const size = Math.max(4, Math.floor((max - 1) / nodes) - connectionsBesidePool)
  const fix = `raise max_connections to ${needed} or more, or set OVERTURE_DATABASE_POOL_SIZE to ${size} or less`
  return warning('connections', told, fix)
}

export function checkDisk({ free, total }: { free: number; total: number }, folder: string): Check {
  const told = `${(free / gibibyte).toFixed(1)} of ${(total / gibibyte).toFixed(1)} GiB free where ${folder} lies`
  if (free >= freeBytesMin && free >= total * freeShareMin) return ok('disk', told)
  const fix = `make room, or move the folder (OVERTURE_DATA_DIR); docs/operating.md, "What grows", says what may be forgotten`
  return free < freeBytesMin / 4 ? broken('disk', told, fix) : warning('disk', told, fix)
}

export function checkBackup(last: Date | null, now: Date): Check {
  const fix = 'run overture backup FILE every day, or see to it that what you back up with does, and can be restored'
  if (last === null) return warning('backup', 'none was made by overture backup', fix)
  const days = (now.getTime() - last.getTime()) / dayMs
  const told = `the last was made ${days.toFixed(1)} days ago`
  return days <= backupDaysMax ? ok('backup', told) : warning('backup', told, fix)
}

export function checkKeyFile(mode: number, path: string): Check {
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  if ((mode & othersMode) === 0) return ok('key file', `${path} is its owner's alone`)
  return warning('key file', `others may read ${path} (${shown}): whoever has it has every secret`, `chmod 600 ${path}`)
}

export interface PublicAnswers {
  url: string
  /** The version of the API at that URL; null if there was no answer or another program answered. */
  version: string | null
  /** Why there was no answer. */
  reason: string | null
  /** The scheme by which the server was called, as it sees it behind its proxies; null if the server does not report it. */
  scheme: string | null
  /** Whether the request came through a proxy that is not configured. */
  proxyIsUnknown: boolean
  metricsAreOpen: boolean
}

/** All clients behind an unknown proxy share one address, so failed sign-ins of one client lock out the others. */
export function checkProxy({ url, proxyIsUnknown }: Pick<PublicAnswers, 'url' | 'proxyIsUnknown'>): Check[] {
  if (!proxyIsUnknown) return []
  return [
    broken(
      'proxy address',
      `${url} answers through a proxy that is not configured, so all clients share the limits of one address`,
      'name the address or network of the proxy in OVERTURE_TRUSTED_PROXIES',
    ),
  ]
}

/** If a proxy does not forward the scheme, or is not trusted, the server treats every client as one without TLS. */
export function checkScheme({ url, scheme }: Pick<PublicAnswers, 'url' | 'scheme'>): Check[] {
  const name = 'proxy scheme'
  const wanted = new URL(url).protocol.slice(0, -1)
  if (scheme === null) return []
  if (scheme === wanted) return [ok(name, `asked by ${wanted}, and knows it`)]
  const fix =
    wanted === 'https'
      ? 'let the proxy send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme), and name it in OVERTURE_TRUSTED_PROXIES'
      : 'set OVERTURE_PUBLIC_URL to the https URL that the proxy answers by'
  return [warning(name, `${url} is asked by ${wanted}, and the server takes it for ${scheme}`, fix)]
}

/** Compares the releases that connections to the database report; null is a connection that reports none. */
export function checkReleases(found: readonly (string | null)[], own: string): Check {
  const name = 'releases'
  const others = [...new Set(found.map((one) => one ?? 'one before 0.1.0'))].filter((one) => one !== own)
  if (others.length === 0) return ok(name, `every process is of release ${own}`)
  return warning(
    name,
    `processes of other releases are at work: ${others.toSorted().join(', ')}; this is ${own}`,
    'finish the upgrade, one node after the other; old and new may stand together for as long as that takes, and no longer',
  )
}

export interface PortAnswer {
  port: number
  /** Null if the port was reached. */
  reason: string | null
  /** Whether a connection was made but the server said nothing. */
  isSilent: boolean
}

const portsFix =
  'let this machine open these ports outward: hosters often close 465 and 587 until they are asked; a server may offer one of both'
const filterFix =
  'see from another network whether the server greets there; if it does, a filter on the way takes these connections: let it pass them'

/** Whether Google and Microsoft accept this installation's client secret, and whether the secret for Microsoft expires soon. */
export function checkMailProviders(
  refusing: readonly { provider: string; accounts: number }[],
  { secretExpiresOn, now }: { secretExpiresOn: string | null; now: Date },
): Check {
  const name = 'mail providers'
  if (refusing.length > 0) {
    const told = refusing.map(({ provider, accounts }) => `${provider} (${accounts} sending accounts wait)`).join(', ')
    return broken(
      name,
      `the client secret of this installation is refused by ${told}`,
      'make a new client secret there, set GOOGLE_OAUTH_CLIENT_SECRET or MICROSOFT_OAUTH_CLIENT_SECRET and restart',
    )
  }
  if (expiresSoon(secretExpiresOn, now)) {
    return warning(
      name,
      `the client secret for Microsoft expires on ${secretExpiresOn}`,
      'make a new one in Entra, set MICROSOFT_OAUTH_CLIENT_SECRET and MICROSOFT_OAUTH_CLIENT_SECRET_EXPIRES and restart',
    )
  }
  return ok(name, 'no provider refuses the client secret of this installation')
}

/** The ports that a sender needs on a mail server: 465 or 587 to send, 993 to read. */
export function checkMailPorts(host: string | null, answers: readonly PortAnswer[]): Check {
  const name = 'mail ports'
  if (host === null) return ok(name, 'not tried; --mail-host HOST tries 465, 587 and 993 of a mail server')
  const closed = answers.filter(({ reason }) => reason !== null)
  if (closed.length === 0) return ok(name, `${answers.map(({ port }) => port).join(', ')} of ${host} are reached`)
  const told = closed.map(({ port, reason }) => `${port} (${reason})`).join(', ')
  const fix = closed.some(({ isSilent }) => isSilent) ? filterFix : portsFix
  const isNone = closed.length === answers.length
  return (isNone ? broken : warning)(name, `${host} is not reached at ${told}`, fix)
}

export function checkPublicAnswers({ url, version, reason, metricsAreOpen }: PublicAnswers, own: string): Check[] {
  const name = 'public URL answers'
  const reached =
    version === null
      ? warning(
          name,
          `${url} does not lead here (${reason ?? 'another program answers'}): links in messages end there`,
          'start the server, point the name to its proxy and the proxy to HOST and PORT; a split DNS may hide it from this machine alone',
        )
      : version !== own
        ? warning(
            name,
            `release ${version} answers at ${url}, this is ${own}`,
            'finish the upgrade: one node after the other',
          )
        : ok(name, `release ${version} answers at ${url}`)
  if (!metricsAreOpen) return [reached]
  return [
    reached,
    broken(
      'metrics',
      `${url}/metrics answers whoever asks`,
      'set OVERTURE_METRICS_TOKEN, or keep the proxy from passing /metrics on',
    ),
  ]
}
