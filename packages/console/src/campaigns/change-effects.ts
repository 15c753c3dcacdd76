import type { Campaign, CampaignDryRun, ChangeEffects, Forecast, Step } from '@overture/sdk'
import { dateText, numberText } from '../platform/time/format.ts'
import { text } from './effects.messages.ts'

/** Whether a change moves no lead and sends nothing else, so that it needs no confirmation. */
export function isQuiet({ effects, forecastBefore, forecastAfter }: CampaignDryRun): boolean {
  const { moved, rescheduled, decisionsVoided, tasksCanceled } = effects
  const forecastKey = ({ days, finishesOn }: Forecast) => JSON.stringify([days, finishesOn])
  const counts = moved.length + rescheduled + decisionsVoided + tasksCanceled
  return counts === 0 && forecastKey(forecastBefore) === forecastKey(forecastAfter)
}

/** Describes in sentences what a change does to leads and to upcoming messages. */
export function effectSentences(before: Pick<Campaign, 'steps'>, dryRun: CampaignDryRun): string[] {
  const { effects, forecastBefore, forecastAfter } = dryRun
  const name = stepNames(before.steps, dryRun.campaign.steps)
  const moved = effects.moved.map((move) => movedSentence(move, name))
  const counted = (['reopened', 'rescheduled', 'decisionsVoided', 'tasksCanceled'] as const)
    .filter((one) => effects[one] > 0)
    .map((one) => text[one](numberText(effects[one])))
  return [
    ...(moved.length + counted.length === 0 ? [text.unchanged] : [...moved, ...counted]),
    text.messages(numberText(messagesIn(forecastBefore)), numberText(messagesIn(forecastAfter))),
    endSentence(forecastBefore, forecastAfter),
  ]
}

/** Names the next step of a lead. */
export function stepNames(before: readonly Step[], after: readonly Step[]): (stepId: string | null) => string {
  return (stepId) => {
    if (stepId === null) return text.nothing
    const now = after.findIndex(({ id }) => id === stepId)
    if (now !== -1) return text.step(numberText(now + 1))
    return text.goneStep(numberText(before.findIndex(({ id }) => id === stepId) + 1))
  }
}

function movedSentence(
  { fromStepId, toStepId, count }: ChangeEffects['moved'][number],
  name: (stepId: string | null) => string,
): string {
  if (fromStepId === null) return text.begins(numberText(count), name(toStepId))
  if (toStepId === null) return text.ends(numberText(count), name(fromStepId))
  return text.moved(numberText(count), name(fromStepId), name(toStepId))
}

function messagesIn({ days }: Forecast): number {
  return days.reduce((sum, { first, followUp }) => sum + first + followUp, 0)
}

function endSentence(before: Forecast, after: Forecast): string {
  // A forecast without upcoming messages has no last day.
  if (messagesIn(after) === 0) return text.finished
  const endText = ({ finishesOn: day }: Forecast): string => (day === null ? text.noEnd : dateText(day))
  if (before.finishesOn === after.finishesOn) return text.finishes(endText(after))
  return messagesIn(before) === 0
    ? text.finishesNow(endText(after))
    : text.finishesInstead(endText(after), endText(before))
}
