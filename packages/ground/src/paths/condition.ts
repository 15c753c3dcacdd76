import type { Condition as StoredCondition, FieldValue } from '@overture/contract/campaigns/conditions.ts'
import { unitInterval } from '../chance/seeded.ts'
import { dayMs, hourMs } from '../time/spans.ts'

/** A condition of any depth. */
export interface Condition extends Omit<StoredCondition, 'all' | 'any' | 'not'> {
  all?: readonly Condition[] | undefined
  any?: readonly Condition[] | undefined
  not?: Condition | undefined
}

/** An act of the lead itself, never of a machine. */
export interface Act {
  did: NonNullable<Condition['did']>
  at: Date
  /** The step of the message on which the lead acted; null if the act belongs to no message. */
  stepId: string | null
  url: string | null
}

/** The facts about a lead on which branches decide. */
export interface LeadFacts {
  leadId: string
  /** By the field names in conditions, including `customVariables.x`. */
  fields: Readonly<Record<string, FieldValue | null | undefined>>
  interest: string | null
  /** The intent of its last reply; null if no reply was classified. */
  intent: string | null
  /** Oldest first. */
  acts: readonly Act[]
  /** The times at which messages were sent, oldest first. */
  sends: readonly { stepId: string | null; at: Date }[]
  signals: readonly { name: string; at: Date }[]
  /** Tasks of the lead by their step. Absent: it has none. */
  tasks?: ReadonlyMap<string, { status: string; outcome: string | null }>
}

/** The branch that asks, and the time. */
interface Moment {
  /** The id of the branch, which seeds the random choice. */
  stepId: string
  now: Date
}

/** Whether a condition holds, with one sentence of evidence. */
export interface Verdict {
  holds: boolean
  detail: string
}

/** A pure function: the same facts at the same time give the same verdict. */
export function judge(when: Condition, facts: LeadFacts, moment: Moment): Verdict {
  if (when.all) return judgeGroup(when.all, 'every', { facts, moment })
  if (when.any) return judgeGroup(when.any, 'some', { facts, moment })
  if (when.not) {
    const inner = judge(when.not, facts, moment)
    return { holds: !inner.holds, detail: `Not: ${inner.detail}` }
  }
  if (when.did !== undefined) return judgeDeed({ ...when, did: when.did }, facts, moment)
  if (when.interest) return judgeLabel('Label', facts.interest, when.interest)
  if (when.intent) return judgeLabel('Intent', facts.intent, when.intent)
  if (when.field !== undefined) return judgeField({ ...when, field: when.field }, facts)
  if (when.signal !== undefined) return judgeSignal({ ...when, signal: when.signal }, facts, moment)
  if (when.task !== undefined) return judgeTask({ ...when, task: when.task }, facts)
  if (when.chance !== undefined) return judgeChance(when.chance, facts, moment)
  return { holds: false, detail: 'The condition is empty.' }
}

function judgeGroup(
  group: readonly Condition[],
  how: 'every' | 'some',
  { facts, moment }: { facts: LeadFacts; moment: Moment },
): Verdict {
  const findings = group.map((one) => judge(one, facts, moment))
  const holds = findings[how]((one) => one.holds)
  // A group is explained by the members that decided it: the true ones if the group is true, else the false ones.
  const telling = findings.filter((one) => one.holds === holds)
  return { holds, detail: telling.map((one) => one.detail).join(' ') }
}

function judgeDeed(
  { did, stepId, url, times = 1, withinHours }: Condition & { did: Act['did'] },
  facts: LeadFacts,
  { now }: Moment,
): Verdict {
  const acts = facts.acts.filter(
    (act) =>
      act.did === did &&
      act.at <= now &&
      (stepId === undefined || act.stepId === stepId) &&
      (url === undefined || matchesUrl(act.url, url)) &&
      (withinHours === undefined || isWithin(act, facts, withinHours * hourMs)),
  )
  const words = did.replace('_', ' ')
  const within = withinHours === undefined ? '' : ` within ${withinHours} hours`
  const [first] = acts
  if (first === undefined) return { holds: false, detail: `Not ${words}${within}.` }
  const count = acts.length === 1 ? 'once' : `${acts.length} times`
  const needed = times > acts.length ? `, of ${times}` : ''
  return {
    holds: acts.length >= times,
    detail: `${capital(words)} ${count}${needed}${within}, first at ${first.at.toISOString()}.`,
  }
}

function matchesUrl(url: string | null, expected: string): boolean {
  if (url === null) return false
  return expected.endsWith('*') ? url.startsWith(expected.slice(0, -1)) : url === expected
}

// The hours count from the message of the act, or from the last message before it if the act belongs to none.
function isWithin(act: Act, { sends }: LeadFacts, spanMs: number): boolean {
  const own = act.stepId === null ? undefined : sends.find((send) => send.stepId === act.stepId)
  const sent = own ?? sends.findLast((send) => send.at <= act.at)
  return sent !== undefined && act.at.getTime() - sent.at.getTime() <= spanMs
}

function judgeLabel(name: string, label: string | null, expected: readonly (string | null)[]): Verdict {
  return { holds: expected.includes(label), detail: `${name}: ${label ?? 'none'}.` }
}

function judgeField({ field, is, value }: Condition & { field: string }, facts: LeadFacts): Verdict {
  const own = known(facts.fields[field])
  // The detail must not contain the value of the field, since details are logged and the value may be a name or an address.
  return {
    holds: compares(own, is ?? 'exists', value),
    detail: `${field}: ${own === null ? 'no value' : 'has a value'}, condition ${is}.`,
  }
}

function known(value: FieldValue | null | undefined): FieldValue | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' && value.trim() === '' ? null : value
}

// For a missing value only `missing` and `not_equals` hold.
function compares(own: FieldValue | null, is: NonNullable<Condition['is']>, value: Condition['value']): boolean {
  if (own === null) return is === 'missing' || is === 'not_equals'
  const listed = Array.isArray(value) ? value : value === undefined ? [] : [value]
  switch (is) {
    case 'exists':
      return true
    case 'missing':
      return false
    case 'equals':
    case 'in':
      return listed.some((one) => folded(one) === folded(own))
    case 'not_equals':
      return !listed.some((one) => folded(one) === folded(own))
    case 'contains':
      return listed.some((one) => folded(own).includes(folded(one)))
    case 'starts_with':
      return listed.some((one) => folded(own).startsWith(folded(one)))
    case 'gt':
      return listed.some((one) => toNumber(own) > toNumber(one))
    case 'lt':
      return listed.some((one) => toNumber(own) < toNumber(one))
  }
}

function folded(value: FieldValue): string {
  return String(value).trim().toLowerCase()
}

// A text that is not a number becomes NaN, so every comparison with it is false.
function toNumber(value: FieldValue): number {
  return typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
}

function judgeSignal(
  { signal, withinDays }: Condition & { signal: string },
  facts: LeadFacts,
  { now }: Moment,
): Verdict {
  const since = withinDays === undefined ? -Infinity : now.getTime() - withinDays * dayMs
  const found = facts.signals.findLast(({ name, at }) => name === signal && at <= now && at.getTime() >= since)
  if (found === undefined) return { holds: false, detail: `No signal ${signal}.` }
  return { holds: true, detail: `Signal ${signal} at ${found.at.toISOString()}.` }
}

function judgeTask({ task, outcome = [] }: Condition & { task: string }, { tasks }: LeadFacts): Verdict {
  const found = tasks?.get(task)
  if (found === undefined) return { holds: false, detail: 'The task was not opened.' }
  const result = found.status === 'done' ? (found.outcome ?? 'done') : found.status
  const wanted: readonly string[] = outcome
  const holds = wanted.length === 0 ? found.status === 'done' : wanted.includes(result)
  return { holds, detail: `Task: ${result.replace('_', ' ')}.` }
}

function judgeChance(chance: number, { leadId }: LeadFacts, { stepId }: Moment): Verdict {
  const drawn = Math.floor(unitInterval(`${leadId} ${stepId}`) * 100)
  return { holds: drawn < chance, detail: `Drew ${drawn} of 100, needed less than ${chance}.` }
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The single questions of a condition, without its groups. */
export function listLeaves(when: Condition): Condition[] {
  if (when.all) return when.all.flatMap(listLeaves)
  if (when.any) return when.any.flatMap(listLeaves)
  return when.not ? listLeaves(when.not) : [when]
}

/** The names of all signals in the conditions. */
export function listSignalNames(conditions: readonly Condition[]): string[] {
  return [...new Set(conditions.flatMap(listLeaves).flatMap(({ signal }) => signal ?? []))]
}

/** Copies a condition and changes each single question. */
export function mapLeaves(when: Condition, change: (leaf: Condition) => Condition): Condition {
  if (when.all) return { all: when.all.map((one) => mapLeaves(one, change)) }
  if (when.any) return { any: when.any.map((one) => mapLeaves(one, change)) }
  return when.not ? { not: mapLeaves(when.not, change) } : change(when)
}

/** Whether the condition contains a `not`. */
export function hasNot(when: Condition): boolean {
  if (when.not) return true
  return (when.all ?? when.any ?? []).some(hasNot)
}
