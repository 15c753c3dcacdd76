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
  if (!isPooling) return ok(name, 'no pooler shares sessions')
  return broken(
    name,
    'a pooler before the database shares connections per transaction, so one account could see data of another',
    'use session pooling (pgbouncer: pool_mode = session), or point DATABASE_URL to PostgreSQL itself',
  )
}

export function checkReplica({ state, reason, isUnfit }: ReplicaLook): Check {
  const name = 'replica'
  if (state === 'follows') return ok(name, 'is up to date and in use')
  const detail = `DATABASE_REPLICA_URL: ${reason}`
  if (isUnfit)
    return broken(
      name,
      detail,
      'use a replica of DATABASE_URL, or remove DATABASE_REPLICA_URL; the server does not start with this one',
    )
  const fix =
    state === 'lags'
      ? 'check pg_stat_replication on the primary; make the replica keep up, or raise OVERTURE_REPLICA_LAG_MS_MAX'
      : 'start the replica, and check DATABASE_REPLICA_URL and the rights of its user; until then DATABASE_URL serves all reads'
  return warning(name, detail, fix)
}

export interface ConnectionFacts {
  /** Connections for users who are not superusers. */
  max: number
  nodes: number
  poolSize: number
}

export function checkConnections({ max, nodes, poolSize }: ConnectionFacts): Check {
  const needed = nodes * (poolSize + connectionsBesidePool) + 1
  const detail = `${nodes} ${nodes === 1 ? 'process' : 'processes'} and a command take up to ${needed} of ${max}`
  if (needed <= max) return ok('connections', detail)
  const size = Math.max(4, Math.floor((max - 1) / nodes) - connectionsBesidePool)
  const fix = `raise max_connections to ${needed} or more, or set OVERTURE_DATABASE_POOL_SIZE to ${size} or less`
  return warning('connections', detail, fix)
}

export function checkDisk({ free, total }: { free: number; total: number }, folder: string): Check {
  const detail = `${(free / gibibyte).toFixed(1)} of ${(total / gibibyte).toFixed(1)} GiB free on the disk of ${folder}`
  if (free >= freeBytesMin && free >= total * freeShareMin) return ok('disk', detail)
  const fix = `free disk space, or move the folder (OVERTURE_DATA_DIR); docs/sizing.md, "What grows", says what you can delete`
  return free < freeBytesMin / 4 ? broken('disk', detail, fix) : warning('disk', detail, fix)
}

export function checkBackup(last: Date | null, now: Date): Check {
  const fix = 'run overture backup FILE every day, or check that your own backup runs every day and can be restored'
  if (last === null) return warning('backup', 'overture backup was never run', fix)
  const days = (now.getTime() - last.getTime()) / dayMs
  const detail = `the last backup is ${days.toFixed(1)} days old`
  return days <= backupDaysMax ? ok('backup', detail) : warning('backup', detail, fix)
}

export function checkKeyFile(mode: number, path: string): Check {
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  if ((mode & othersMode) === 0) return ok('key file', `only the owner can read ${path}`)
  return warning(
    'key file',
    `other users can read ${path} (${shown}), which protects every secret`,
    `chmod 600 ${path}`,
  )
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
      `${url} is behind a proxy that is not configured, so all clients share the limits of one address`,
      'add the address or network of the proxy to OVERTURE_TRUSTED_PROXIES',
    ),
  ]
}

/** If a proxy does not forward the scheme, or is not trusted, the server treats every client as one without TLS. */
export function checkScheme({ url, scheme }: Pick<PublicAnswers, 'url' | 'scheme'>): Check[] {
  const name = 'proxy scheme'
  const wanted = new URL(url).protocol.slice(0, -1)
  if (scheme === null) return []
  if (scheme === wanted) return [ok(name, `the server sees requests as ${wanted}`)]
  const fix =
    wanted === 'https'
      ? 'make the proxy send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme), and add it to OVERTURE_TRUSTED_PROXIES'
      : 'set OVERTURE_PUBLIC_URL to the https URL of the proxy'
  return [warning(name, `${url} is requested over ${wanted}, but the server sees ${scheme}`, fix)]
}

/** Compares the releases that connections to the database report; null is a connection that reports none. */
export function checkReleases(found: readonly (string | null)[], own: string): Check {
  const name = 'releases'
  const others = [...new Set(found.map((one) => one ?? 'a release before 0.1.0'))].filter((one) => one !== own)
  if (others.length === 0) return ok(name, `every process runs release ${own}`)
  return warning(
    name,
    `other processes run ${others.toSorted().join(', ')}; this is ${own}`,
    'finish the upgrade, one node after the other; old and new releases may run together only during the upgrade',
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
  'allow outgoing connections to these ports; hosters often block 465 and 587 until you ask, and a mail server may offer only one of both'
const filterFix =
  'test the server from another network; if it greets there, a filter in between blocks these connections and has to allow them'

/** Whether Google and Microsoft accept this installation's client secret, and whether the secret for Microsoft expires soon. */
export function checkMailProviders(
  refusing: readonly { provider: string; accounts: number }[],
  { secretExpiresOn, now }: { secretExpiresOn: string | null; now: Date },
): Check {
  const name = 'mail providers'
  if (refusing.length > 0) {
    const providers = refusing
      .map(({ provider, accounts }) => `${provider} (${accounts} sending accounts wait)`)
      .join(', ')
    return broken(
      name,
      `the client secret of this installation is rejected by ${providers}`,
      'create a new client secret there, set GOOGLE_OAUTH_CLIENT_SECRET or MICROSOFT_OAUTH_CLIENT_SECRET and restart',
    )
  }
  if (expiresSoon(secretExpiresOn, now)) {
    return warning(
      name,
      `the client secret for Microsoft expires on ${secretExpiresOn}`,
      'create a new one in Entra, set MICROSOFT_OAUTH_CLIENT_SECRET and MICROSOFT_OAUTH_CLIENT_SECRET_EXPIRES and restart',
    )
  }
  return ok(name, 'no provider rejects the client secret of this installation')
}

/** The ports that a sender needs on a mail server: 465 or 587 to send, 993 to read. */
export function checkMailPorts(host: string | null, answers: readonly PortAnswer[]): Check {
  const name = 'mail ports'
  if (host === null) return ok(name, 'not tried; --mail-host HOST tries ports 465, 587 and 993 of a mail server')
  const closed = answers.filter(({ reason }) => reason !== null)
  if (closed.length === 0) return ok(name, `${answers.map(({ port }) => port).join(', ')} of ${host} can be reached`)
  const ports = closed.map(({ port, reason }) => `${port} (${reason})`).join(', ')
  const fix = closed.some(({ isSilent }) => isSilent) ? filterFix : portsFix
  const isNone = closed.length === answers.length
  return (isNone ? broken : warning)(name, `${host} can't be reached at ${ports}`, fix)
}

export function checkPublicAnswers({ url, version, reason, metricsAreOpen }: PublicAnswers, own: string): Check[] {
  const name = 'public URL answers'
  const reached =
    version === null
      ? warning(
          name,
          `${url} does not point to this server (${reason ?? 'another program responds'}), so links in messages do not work`,
          'start the server, and point the name to its proxy and the proxy to HOST and PORT; with split DNS only this machine may fail',
        )
      : version !== own
        ? warning(
            name,
            `${url} runs release ${version}, this is ${own}`,
            'finish the upgrade, one node after the other',
          )
        : ok(name, `${url} runs release ${version}`)
  if (!metricsAreOpen) return [reached]
  return [
    reached,
    broken('metrics', `${url}/metrics is public`, 'set OVERTURE_METRICS_TOKEN, or block /metrics in the proxy'),
  ]
}
