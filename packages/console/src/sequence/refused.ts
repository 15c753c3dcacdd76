import { ApiError } from '@overture/sdk'
import type { SaveState } from './autosave.actions.ts'
import type { TextCheck } from './check.queries.ts'

/** What a refused saving says of one variant, at its place: the API names the field, the line and the column. */
export function issuesIn(state: SaveState, step: number, variant: number): TextCheck['issues'] {
  if (state.kind !== 'failed' || !ApiError.is(state.error, 'VALIDATION_ERROR')) return []
  return state.error.details.issues.flatMap(({ path, message }) => {
    const field = (['subject', 'body'] as const).find((one) => path === `steps[${step}].variants[${variant}].${one}`)
    if (field === undefined) return []
    const place = /line:? ?(\d+),? (?:col(?:umn)?):? ?(\d+)/i.exec(message)
    return [{ field, line: Number(place?.[1] ?? 1), column: Number(place?.[2] ?? 1), message }]
  })
}
