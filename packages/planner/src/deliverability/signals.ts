import type {
  DeliverabilityState,
  SignalName,
  SignalReason,
} from '@overture/contract/sending-accounts/deliverability.ts'
import { hourMs } from '@overture/ground/time/spans.ts'

/** Counts of one signal: `bad` of `sample`. */
export interface SignalCount {
  bad: number
  sample: number
}

export interface Signals {
  /** Counted among the last 100 messages of the mailbox. */
  bounces: SignalCount
  /** Counted over 30 days and all mailboxes of the domain. */
  complaints: SignalCount
  /** The share of the account's seed mailboxes that found the message in spam within 14 days. */
  spamPlacement: SignalCount
  /** The share of refusals 4.7.x and 5.7.x among the last 100 messages. */
  policyRefusals: SignalCount
  /** The time since which SPF or DMARC is wrong. It is set if two checks a day apart agree. */
  authenticationWrongSince: Date | null
  /** Whether wrong authentication holds the mailbox. */
  requireAuthentication: boolean
}

const noCount: SignalCount = { bad: 0, sample: 0 }

/** The signals of a mailbox about which nothing is known. */
export const noSignals: Signals = {
  bounces: noCount,
  complaints: noCount,
  spamPlacement: noCount,
  policyRefusals: noCount,
  authenticationWrongSince: null,
  requireAuthentication: false,
}

const holdAfterHours = 72

interface Thresholds {
  signal: Exclude<SignalName, 'authentication'>
  scope: SignalReason['scope']
  sampleMin: number
  watch: number
  cooling: number
  held: number
}

const thresholds: readonly (Thresholds & { count: (signals: Signals) => SignalCount })[] = [
  {
    signal: 'bounces',
    scope: 'mailbox',
    sampleMin: 20,
    watch: 0.02,
    cooling: 0.03,
    held: 0.05,
    count: (s) => s.bounces,
  },
  {
    signal: 'complaints',
    scope: 'domain',
    sampleMin: 100,
    watch: 0.001,
    cooling: 0.002,
    held: 0.003,
    count: (s) => s.complaints,
  },
  {
    signal: 'spam_placement',
    scope: 'mailbox',
    sampleMin: 10,
    watch: 0.1,
    cooling: 0.2,
    held: 0.4,
    count: (s) => s.spamPlacement,
  },
  {
    signal: 'policy_refusals',
    scope: 'mailbox',
    sampleMin: 20,
    watch: 0.03,
    cooling: 0.06,
    held: 0.12,
    count: (s) => s.policyRefusals,
  },
]

/** How bad a state is, from 0. */
export const severity: Readonly<Record<DeliverabilityState, number>> = { healthy: 0, watch: 1, cooling: 2, held: 3 }

export interface SignalVerdict {
  state: DeliverabilityState
  /** The signals at or above a threshold, the worst first. */
  reasons: SignalReason[]
}

/** Judges the signals of a moment by the table of docs/deliverability.md. */
export function judgeSignals(signals: Signals, now: Date): SignalVerdict {
  const found: { state: DeliverabilityState; reason: SignalReason }[] = []
  for (const { signal, scope, sampleMin, count, ...limits } of thresholds) {
    const { bad, sample } = count(signals)
    const value = sample === 0 ? 0 : bad / sample
    const state = sample < sampleMin ? 'healthy' : stateAt(value, limits)
    if (state !== 'healthy') found.push({ state, reason: { signal, value, threshold: limits[state], sample, scope } })
  }
  const { authenticationWrongSince: since, requireAuthentication } = signals
  if (since !== null) {
    const value = Math.max(0, Math.floor((now.getTime() - since.getTime()) / hourMs))
    const state = requireAuthentication && value >= holdAfterHours ? 'held' : 'watch'
    const threshold = state === 'held' ? holdAfterHours : 0
    found.push({ state, reason: { signal: 'authentication', value, threshold, sample: 2, scope: 'domain' } })
  }
  found.sort((a, b) => severity[b.state] - severity[a.state])
  return { state: found[0]?.state ?? 'healthy', reasons: found.map(({ reason }) => reason) }
}

function stateAt(value: number, limits: Pick<Thresholds, 'watch' | 'cooling' | 'held'>): DeliverabilityState {
  if (value >= limits.held) return 'held'
  if (value >= limits.cooling) return 'cooling'
  return value >= limits.watch ? 'watch' : 'healthy'
}

/** 100 for a mailbox without bad signals, 0 for one at the threshold that holds it. */
export function signalScore({ reasons }: { reasons: readonly SignalReason[] }): number {
  const shares = reasons.map(({ signal, value }) => {
    const held = thresholds.find((one) => one.signal === signal)?.held ?? holdAfterHours
    return Math.min(1, value / held)
  })
  return Math.round(100 * (1 - Math.max(0, ...shares)))
}

const signalWords: Readonly<Record<SignalName, string>> = {
  bounces: 'bounces',
  complaints: 'complaints',
  spam_placement: 'found in spam',
  policy_refusals: 'refused by policy',
  authentication: 'SPF or DMARC wrong for',
}

/** A signal with its number, such as "complaints 0.21 %". */
export function describeReason({ signal, value }: SignalReason): string {
  const number = signal === 'authentication' ? `${value} hours` : `${Number((value * 100).toFixed(2))} %`
  return `${signalWords[signal]} ${number}`
}
