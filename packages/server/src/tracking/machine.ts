import { minuteMs } from '@overture/ground/time/spans.ts'
import { robots, scanners } from './machine-words.ts'

/** The facts about a request for a pixel or a link. */
export interface Hit {
  method: string
  userAgent: string
  /** Values of headers with which programs announce a prefetch. */
  purpose: string
  /** Time since the message was sent; null if unknown. */
  sinceSentMs: number | null
  /** The number of requests for other links of the same message within the last two seconds. */
  otherLinks: number
  /** The number of hits by people on this link within the last minute. */
  repeats: number
  /** Whether a machine hit on this link was stored within the last minute, or the limit of stored hits is reached. */
  machineWasKept: boolean
}

/** An earlier hit of the same message. A URL of null means the pixel. */
export interface PastHit {
  url: string | null
  machine: boolean
  at: Date
}

interface HitVerdict {
  machine: boolean
  /** Whether the hit is stored in the log. */
  kept: boolean
  /** The rule that decided. */
  reason: string
}

/** No person opens and reads mail this soon after sending, but security gateways do. Source: docs/delivery.md, "Rules of the field". */
const soonestHumanMs = 1_500
const manyLinks = 2
const manyLinksWithinMs = 2_000
/** No person follows a link more often within a minute. */
const repeatsMax = 5
/** The period before a hit and the number of earlier hits with which it is compared. */
export const lookBackMs = minuteMs
export const pastHitsMax = 200

/** The facts that are needed to judge a hit among other hits of its message. */
interface JudgeableHit {
  what: 'open' | 'click'
  /** Null: the pixel. */
  url: string | null
  at: Date
  request: Pick<Hit, 'method' | 'userAgent' | 'purpose'>
  message: { id: string; sentAt: Date | null }
}

export interface JudgedHit<Judged> {
  hit: Judged
  verdict: HitVerdict
}

/**
 * Judges hits in order. Each is compared with `past` (latest first) and with the hits before it. Returns the hits to store in
 * the log.
 */
export function judgeHits<Judged extends JudgeableHit>(
  hits: readonly Judged[],
  past: readonly (PastHit & { messageId: string })[],
): JudgedHit<Judged>[] {
  const pastByMessage = new Map<string, PastHit[]>()
  for (const hit of past) pastByMessage.set(hit.messageId, [...(pastByMessage.get(hit.messageId) ?? []), hit])
  return hits.flatMap((hit) => {
    const { message, request, url, at, what } = hit
    const before = pastByMessage.get(message.id) ?? []
    const recent = before.filter((one) => one.at.getTime() > at.getTime() - lookBackMs).slice(0, pastHitsMax)
    const sinceSentMs = message.sentAt === null ? null : at.getTime() - message.sentAt.getTime()
    const verdict = judgeHit({ ...request, sinceSentMs, ...countRepetition(recent, { what, url, now: at }) })
    if (!verdict.kept) return []
    pastByMessage.set(message.id, [{ url, machine: verdict.machine, at }, ...before])
    return [{ hit, verdict }]
  })
}

/** Proxies that fetch only when a person opens the message. */
const humanProxies = /googleimageproxy|yahoomailproxy/i

/** Distinguishes people from programs. Every rule has a name, which is stored with the event. */
function judgeHit(hit: Hit): HitVerdict {
  const rule = machineRule(hit)
  return rule === null
    ? { machine: false, kept: true, reason: humanProxies.test(hit.userAgent) ? 'image_proxy' : 'person' }
    : { machine: true, kept: !hit.machineWasKept, reason: rule }
}

/** The earlier hits with which a hit is compared, as counts. */
function countRepetition(
  past: readonly PastHit[],
  hit: { what: 'open' | 'click'; url: string | null; now: Date },
): Pick<Hit, 'otherLinks' | 'repeats' | 'machineWasKept'> {
  const same = past.filter((one) => one.url === hit.url)
  const since = hit.now.getTime() - manyLinksWithinMs
  const others = past.filter((one) => one.url !== null && one.url !== hit.url && one.at.getTime() > since)
  const full = past.length >= pastHitsMax
  return {
    otherLinks: hit.what === 'click' ? new Set(others.map((one) => one.url)).size : 0,
    repeats: full ? Infinity : same.filter((one) => !one.machine).length,
    machineWasKept: full || same.some((one) => one.machine),
  }
}

function machineRule(hit: Hit): string | null {
  const agent = hit.userAgent.trim()
  if (hit.method === 'HEAD') return 'head_request'
  if (/prefetch|preview/i.test(hit.purpose)) return 'prefetch'
  if (agent === '') return 'no_user_agent'
  if (humanProxies.test(agent)) return hit.sinceSentMs !== null && hit.sinceSentMs < soonestHumanMs ? 'too_soon' : null
  // Apple's privacy proxy prefetches everything, with a user agent without version or device.
  if (
    agent === 'Mozilla/5.0' ||
    /^Mozilla\/5\.0 \([^)]{0,80}\) AppleWebKit\/[\d.]{1,12} \(KHTML, like Gecko\)$/.test(agent)
  )
    return 'apple_privacy_proxy'
  if (scanners.test(agent)) return 'scanner'
  if (robots.test(agent)) return 'robot'
  if (hit.sinceSentMs !== null && hit.sinceSentMs < soonestHumanMs) return 'too_soon'
  if (hit.otherLinks >= manyLinks) return 'many_links_at_once'
  if (hit.repeats >= repeatsMax) return 'repeated'
  return null
}
