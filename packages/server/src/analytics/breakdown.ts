import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Analytics } from '@overture/contract/analytics/analytics.ts'
import { compareVariants, noCounts, computeStats, wilsonInterval, type Counts } from './measures.ts'
import type { Period } from './periods.ts'
import { computeShares, type Evidence, selectByReplies } from '../campaigns/sequence/variant-selection.ts'

/** Counts of one line of a dimension, and the ids of its step, variant or sender. */
interface Line extends Counts {
  dimension: 'period' | 'step' | 'variant' | 'sender'
  bucket: number | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
}
export interface VariantName {
  id: string
  stepId: string
  label: string
  weight: number
  enabled: boolean
}
export interface Names {
  steps: {
    id: string
    position: number
    type: Step['type']
    then: string | null
    branches: { id: string; label: string; goTo: string | null }[]
  }[]
  /** `evidence` is the variant's results so far, independent of the range. Null if the step chooses by weights. */
  variants: (VariantName & { evidence: Evidence | null })[]
  senders: { id: string; email: string }[]
}

/** Counts of leads that took a branch, from that moment on. `branchId` is null if none of the step's branches held. */
export interface PathLine extends Counts {
  stepId: string
  branchId: string | null
}

/** How often something happened to tasks of a step. */
export interface TaskLine {
  stepId: string
  type: string
  outcome: string | null
  count: number
}

interface PathCounts {
  tasks: readonly TaskLine[]
  paths: readonly PathLine[]
  /** The number of leads by step that have completed it or are waiting for it. */
  reached: ReadonlyMap<string, number>
  /** The number of leads by step whose next step it is. */
  waiting: ReadonlyMap<string, number>
}

type Breakdown = Pick<Analytics, 'series' | 'steps' | 'paths' | 'variants' | 'senders' | 'comparisons'>

/**
 * Contains every period, and every step and variant of the campaign even without a count. Senders and removed steps appear only
 * if they were counted.
 */
export function buildBreakdown(
  lines: readonly Line[],
  periods: readonly Period[],
  names: Names,
  { paths, ...places }: PathCounts,
): Breakdown {
  const variants = variantBreakdown(lines, names)
  return {
    series: buildSeries(lines, periods),
    steps: stepBreakdown(lines, names, places),
    paths: pathBreakdown(paths, names),
    variants,
    senders: senderBreakdown(lines, names),
    comparisons: listComparisons(variants, names),
  }
}

function buildSeries(lines: readonly Line[], periods: readonly Period[]): Analytics['series'] {
  const byBucket = new Map(lines.filter((line) => line.dimension === 'period').map((line) => [line.bucket, line]))
  return periods.map((period, index) => ({
    date: period.date,
    startAt: period.startAt.toISOString(),
    endAt: period.endAt.toISOString(),
    ...computeStats(byBucket.get(index + 1) ?? noCounts),
  }))
}

function stepBreakdown(
  lines: readonly Line[],
  names: Names,
  { reached, waiting, tasks }: Omit<PathCounts, 'paths'>,
): Analytics['steps'] {
  const counted = new Map(
    lines.filter((line) => line.dimension === 'step' && line.stepId).map((line) => [line.stepId!, line]),
  )
  const known = new Map(names.steps.map((step) => [step.id, step]))
  const ids = new Set([...known.keys(), ...counted.keys(), ...tasks.map(({ stepId }) => stepId)])
  return [...ids].map((stepId) => ({
    stepId,
    position: known.get(stepId)?.position ?? null,
    type: known.get(stepId)?.type ?? null,
    reached: reached.get(stepId) ?? 0,
    waiting: waiting.get(stepId) ?? 0,
    tasks: countTasks(
      tasks.filter((line) => line.stepId === stepId),
      known.get(stepId)?.type,
    ),
    ...computeStats(contactedAsLeads(counted.get(stepId))),
  }))
}

function countTasks(lines: readonly TaskLine[], type: Step['type'] | undefined): Analytics['steps'][number]['tasks'] {
  if (lines.length === 0 && type !== 'task') return null
  const counted = (name: string) =>
    lines.filter((line) => line.type === name).reduce((sum, { count }) => sum + count, 0)
  const completed = lines.filter((line) => line.type === 'task.completed' && line.outcome !== null)
  return {
    created: counted('task.created'),
    done: counted('task.completed'),
    skipped: counted('task.skipped'),
    overdue: counted('task.overdue'),
    outcomes: Object.fromEntries(completed.map(({ outcome, count }) => [outcome, count])),
  }
}

/** Every branch of the sequence, taken or not, followed by removed branches that were taken. */
function pathBreakdown(lines: readonly PathLine[], { steps }: Names): Analytics['paths'] {
  const ways = steps.flatMap(({ id, type, branches }) =>
    type === 'branch'
      ? [...branches, { id: null, label: null }].map((branch) => ({
          stepId: id,
          branchId: branch.id,
          label: branch.label,
        }))
      : [],
  )
  const isOnPath = (way: { stepId: string; branchId: string | null }) => (line: PathLine) =>
    line.stepId === way.stepId && line.branchId === way.branchId
  const removed = lines
    .filter((line) => !ways.some((way) => isOnPath(way)(line)))
    .map(({ stepId, branchId }) => ({ stepId, branchId, label: null }))
  return [...ways, ...removed].map((way) => ({ ...way, ...computeStats(lines.find(isOnPath(way)) ?? noCounts) }))
}

function variantBreakdown(lines: readonly Line[], names: Names): Analytics['variants'] {
  const counted = lines.filter((line) => line.dimension === 'variant' && line.stepId && line.variantId)
  const byId = new Map(counted.map((line) => [line.variantId!, line]))
  const shares = nextShares(names)
  const known = names.variants.map(({ id, stepId, label }) => ({
    variantId: id,
    stepId,
    label: label as string | null,
  }))
  const removed = counted
    .filter((line) => !names.variants.some((variant) => variant.id === line.variantId))
    .map((line) => ({ variantId: line.variantId!, stepId: line.stepId!, label: null }))
  return [...known, ...removed].map(({ variantId, stepId, label }) => {
    const stats = computeStats(contactedAsLeads(byId.get(variantId)))
    return {
      stepId,
      variantId,
      label,
      replyInterval: wilsonInterval(stats.uniqueReplied, stats.delivered),
      nextShare: shares.get(variantId) ?? null,
      ...stats,
    }
  })
}

function nextShares({ variants }: Names): Map<string, number> {
  const shares = new Map(variants.map(({ id }) => [id, 0]))
  for (const stepId of new Set(variants.map((variant) => variant.stepId))) {
    const enabled = variants.filter((variant) => variant.stepId === stepId && variant.enabled)
    for (const [id, share] of computeShares(enabled, stepId)) shares.set(id, share)
  }
  return shares
}

function senderBreakdown(lines: readonly Line[], names: Names): Analytics['senders'] {
  const emails = new Map(names.senders.map((sender) => [sender.id, sender.email]))
  return lines
    .filter((line) => line.dimension === 'sender' && line.sendingAccountId)
    .map((line) => ({
      sendingAccountId: line.sendingAccountId!,
      email: emails.get(line.sendingAccountId!) ?? null,
      ...computeStats(contactedAsLeads(line)),
    }))
}

/** Compares the variants of each step that can still be sent. A variant that is off or removed would never get enough messages. */
function listComparisons(variants: Analytics['variants'], names: Names): Analytics['comparisons'] {
  const sendable = names.variants.filter(({ enabled, weight }) => enabled && weight > 0)
  const ids = new Set(sendable.map(({ id }) => id))
  const compared = variants.filter(({ variantId }) => ids.has(variantId))
  return [...new Set(compared.map((variant) => variant.stepId))]
    .map((stepId) => ({ stepId, group: compared.filter((variant) => variant.stepId === stepId) }))
    .filter(({ group }) => group.length > 1)
    .map(({ stepId, group }) => {
      const comparison = compareVariants(
        group.map(({ variantId, delivered, uniqueReplied }) => ({ variantId, delivered, replied: uniqueReplied })),
      )
      const ofStep = sendable.filter((variant) => variant.stepId === stepId)
      // A step that chooses by replies shifts its messages before a difference is certain, so a weak variant may never get enough.
      const shifts = comparison.verdict === 'not_enough_data' && selectByReplies(ofStep, stepId) !== undefined
      return { stepId, ...comparison, detail: `${comparison.detail}${shifts ? shiftsText : ''}` }
    })
}

const shiftsText = ' Meanwhile the step sends the variant with more replies more often.'

// Leads are added to a campaign, not to a step or a sender. In those lines, `leads` is the number of contacted leads.
function contactedAsLeads(line: Line | undefined): Counts {
  return line ? { ...line, leads: line.contacted } : noCounts
}
