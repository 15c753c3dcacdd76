import { isOwnMachine } from '@overture/server/platform/public-url.ts'
import type { PublicAnswers } from './surroundings.ts'

const waitMs = 5_000

/** Checks the public URL from outside: whether the API there is ours, how it sees the URL, and whether metrics are protected. */
export async function askPublicUrl(url: string): Promise<PublicAnswers> {
  const ask = (path: string) => fetch(`${url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(waitMs) })
  try {
    const api = await ask('/v2/account')
    await api.body?.cancel()
    const version = api.headers.get('x-overture-version')
    const metrics = await ask('/metrics')
    const ready = await ask('/readyz')
    await ready.body?.cancel()
    const isOurs = version !== null && metrics.ok && (await metrics.text()).includes('overture_')
    const scheme = version === null ? null : ready.headers.get('x-overture-scheme')
    const proxyIsUnknown = version !== null && ready.headers.get('x-overture-proxy') === 'unknown'
    // Programs on this machine may read the metrics without a token.
    return { url, version, reason: null, scheme, proxyIsUnknown, metricsAreOpen: isOurs && !isOwnMachine(url) }
  } catch (error) {
    const cause = (error as Error).cause as { code?: string } | undefined
    const reason = cause?.code ?? (error as Error).name
    return { url, version: null, reason, scheme: null, proxyIsUnknown: false, metricsAreOpen: false }
  }
}
