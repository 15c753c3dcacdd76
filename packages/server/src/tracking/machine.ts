import { minuteMs } from '../ground/time/spans.ts'
import { robots, scanners } from './machine-words.ts'

/** What is known of a request for a pixel or a link. */
export interface Hit {
  method: string
  userAgent: string
  /** Values of headers with which programs announce that nobody is looking yet. */
  purpose: string
  /** Since the message left; null when that is not known. */
  sinceSentMs: number | null
  /** Requests for other links of the same message within the last two seconds. */
  otherLinks: number
  /** What people did with this same link within the last minute. */
  repeats: number
  /** A machine's request for this same link within the last minute was kept, or there is no room for more. */
  machineWasKept: boolean
}

/** An earlier hit of the same message; without a URL it is the pixel. */
export interface PastHit {
  url: string | null
  machine: boolean
  at: Date
}

interface HitVerdict {
  machine: boolean
  /** Whether it goes into the log. */
  kept: boolean
  /** Which rule decided. */
  reason: string
}

/** Nobody opens and reads within this time; security gateways do. Source: docs/delivery.md, "Rules of the field". */
const soonestHumanMs = 1_500
const manyLinks = 2
const manyLinksWithinMs = 2_000
/** Nobody reads a page this often within a minute. */
const repeatsMax = 5
/** How much of the past decides, in time and in hits. */
export const lookBackMs = minuteMs
export const pastHitsMax = 200

/** What is asked of a hit to judge it among others of its message. */
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

/** Judges hits in order, each by those before it: `past`, the latest first, and of these. Answers those that go into the log. */
export function judgeHits<Judged extends JudgeableHit>(
  hits: readonly Judged[],
  past: readonly (PastHit & { messageId: string })[],
): JudgedHit<Judged>[] {
  const pastOf = new Map<string, PastHit[]>()
  for (const one of past) pastOf.set(one.messageId, [...(pastOf.get(one.messageId) ?? []), one])
  return hits.flatMap((hit) => {
    const { message, request, url, at, what } = hit
    const before = pastOf.get(message.id) ?? []
    const recent = before.filter((one) => one.at.getTime() > at.getTime() - lookBackMs).slice(0, pastHitsMax)
    const sinceSentMs = message.sentAt === null ? null : at.getTime() - message.sentAt.getTime()
    const verdict = judgeHit({ ...request, sinceSentMs, ...repetitionOf(recent, { what, url, now: at }) })
    if (!verdict.kept) return []
    pastOf.set(message.id, [{ url, machine: verdict.machine, at }, ...before])
    return [{ hit, verdict }]
  })
}

/** Proxies that fetch when a person opens, and only then. */
const humanProxies = /googleimageproxy|yahoomailproxy/i

/** Tells people from programs; every rule has a name that is kept with the event. */
function judgeHit(hit: Hit): HitVerdict {
  const rule = machineRule(hit)
  return rule === null
    ? { machine: false, kept: true, reason: humanProxies.test(hit.userAgent) ? 'image_proxy' : 'person' }
    : { machine: true, kept: !hit.machineWasKept, reason: rule }
}

/** What of the past a hit is judged by. */
function repetitionOf(
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
  // Apple's privacy proxy loads everything in advance, under a name without version or device.
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
