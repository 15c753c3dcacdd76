import type { Analytics, Interest } from '@overture/sdk'
import { numberText, percentText } from '../../platform/time/format.ts'
import { conditionText } from '../branches/condition-text.ts'
import { text as branchText } from '../branches/branches.messages.ts'
import { variantShare, type StepDraft } from '../draft.ts'
import { timingText, variantGist } from '../texts/step-texts.ts'
import { channelText } from '../tasks/task-steps.messages.ts'
import type { GraphNode } from './graph.ts'
import { text } from './picture.messages.ts'

/** The words in a box. */
export interface NodeText {
  title: string
  /** One row of the box each. */
  lines: readonly string[]
  counts: readonly string[]
  warning: string | null
}

export interface PictureFacts {
  steps: readonly StepDraft[]
  takesOver: boolean
  isReached: (key: string) => boolean
  labels: Readonly<Record<Interest, string>>
  /** Null until the counts are loaded. */
  analytics: Pick<Analytics, 'steps' | 'paths'> | null
}

const variantsShown = 4
const plain = { lines: [], counts: [], warning: null }

export function nodeText(node: GraphNode<StepDraft>, facts: PictureFacts): NodeText {
  switch (node.kind) {
    case 'step':
      return stepText(node.step, node.index, facts)
    case 'exit':
      return exitText(node.step, node.exit, facts)
    case 'end':
      return { ...plain, title: text.end }
    case 'campaign':
      return { ...plain, title: text.campaign(node.name) }
    case 'gone':
      return { ...plain, title: branchText.gone, warning: branchText.refused }
  }
}

function stepText(step: StepDraft, index: number, facts: PictureFacts): NodeText {
  const { type, task } = step
  const kind = type === 'branch' ? branchText.branch : channelText[task?.channel ?? 'email']
  return {
    title: text.stepNumber(numberText(index + 1), kind),
    lines: [timingText(step, index, facts.takesOver), ...contentLines(step)],
    counts: stepCounts(step, facts),
    warning: facts.isReached(step.key) ? null : branchText.unreached,
  }
}

function contentLines(step: StepDraft): string[] {
  const { type, variants, task, byHand } = step
  if (type === 'branch') return []
  if (task !== null) return [task.title === '' ? text.noTitle : task.title]
  const shown = variants.slice(0, variantsShown).map((variant) => {
    const gist = variantGist(variant) || text.noText
    if (!variant.enabled) return text.variantOff(variant.label, gist)
    if (variants.length === 1) return gist
    const share = variantShare(variant, step)
    return share === null
      ? text.variant(variant.label, gist)
      : text.variantShare(variant.label, percentText(share), gist)
  })
  const more = variants.length - shown.length
  return [...shown, ...(more > 0 ? [text.moreVariants(numberText(more))] : []), ...(byHand ? [text.byHand] : [])]
}

function stepCounts({ id, type }: StepDraft, { analytics }: PictureFacts): string[] {
  const found = analytics?.steps.find(({ stepId }) => stepId === id)
  if (found === undefined) return []
  const waiting = text.waiting(numberText(found.waiting))
  if (type === 'branch') return [waiting]
  if (type === 'task')
    return [waiting, text.done(numberText(found.tasks?.done ?? 0)), text.skipped(numberText(found.tasks?.skipped ?? 0))]
  return [waiting, text.sent(numberText(found.sent)), text.replied(numberText(found.uniqueReplied))]
}

function exitText(step: StepDraft, exit: number, { steps, labels, analytics }: PictureFacts): NodeText {
  const branch = step.branches[exit]
  const position = (key: string): number | undefined => {
    const at = steps.findIndex((one) => one.key === key)
    return at === -1 ? undefined : at + 1
  }
  const taken = analytics?.paths.find(
    ({ stepId, branchId }) => stepId === step.id && branchId === (branch === undefined ? null : branch.id),
  )
  return {
    title: branch?.label ?? text.others,
    lines: branch === undefined ? [] : [conditionText(branch.when, { position, labels })],
    counts: taken === undefined ? [] : [text.leads(numberText(taken.leads))],
    warning: null,
  }
}
