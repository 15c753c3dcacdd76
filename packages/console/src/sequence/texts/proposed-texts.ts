import type { TextCheck } from '../check.queries.ts'

export type Part = 'subject' | 'body'

type Issue = TextCheck['issues'][number]
type Place = readonly [from: number, to: number]

export interface Proposal {
  code: string
  at: Place
  message: string
  replacement: string | null
}

/** The names and spellings of a text that the check doesn't know. None if the text was changed after the check. */
export function proposalsFor(check: TextCheck | undefined, part: Part, value: string): Proposal[] {
  if (check === undefined || check.checkedTexts[part] !== value) return []
  return check.hints.flatMap(({ code, field, at, message, replacement }) => {
    const [from, to] = at ?? []
    const isProposal = code === 'unknown_variable' || code === 'other_spelling'
    if (!isProposal || field !== part || from === undefined || to === undefined) return []
    return [{ code, at: [from, to] as const, message, replacement: replacement ?? null }]
  })
}

/** The places in a body of names that no lead has. */
export function unknownPlaces(check: TextCheck | undefined, body: string): Proposal[] {
  return proposalsFor(check, 'body', body).filter(({ code }) => code === 'unknown_variable')
}

export function replaced(value: string, [from, to]: Place, replacement: string): string {
  return value.slice(0, from) + replacement + value.slice(to)
}

/** Whether a proposal is about the place of an error, so that its words replace those of the error. */
export function isProposed({ line, column }: Issue, value: string, proposals: readonly Proposal[]): boolean {
  const before = value.split('\n').slice(0, line - 1)
  const at = before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  return proposals.some(({ at: [from, to] }) => from <= at && at < to)
}
