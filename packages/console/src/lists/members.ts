import type { AddListMembersResults } from '@overture/sdk'
import { numberText } from '../platform/time/format.ts'
import { text } from './lists.messages.ts'

/** The people that one call adds. It is less than the API accepts, so that people with many variables don't make a call too large. */
export const membersPerCall = 200

/** Splits people into the parts that are sent one after the other. */
export function splitMembers<Item>(members: readonly Item[]): Item[][] {
  const calls = Math.ceil(members.length / membersPerCall)
  return Array.from({ length: calls }, (_none, call) =>
    members.slice(call * membersPerCall, (call + 1) * membersPerCall),
  )
}

/** Joins the answers of all parts. `index` counts across the parts. */
export function joinResults(answers: readonly AddListMembersResults[]): AddListMembersResults {
  const sum = (name: 'added' | 'updated' | 'invalid'): number =>
    answers.reduce((total, answer) => total + answer[name], 0)
  return {
    added: sum('added'),
    updated: sum('updated'),
    invalid: sum('invalid'),
    results: answers.flatMap(({ results }) => results).map((result, index) => ({ ...result, index })),
  }
}

const shownVariables = 3
const shownLength = 80

/** The first variables of a member as one line: "plan: gold, seats: 12 and 4 more". */
export function variablesText(variables: Readonly<Record<string, unknown>>): string {
  const all = Object.entries(variables)
  const shown = all.slice(0, shownVariables).map(([name, value]) => shorten(`${name}: ${String(value)}`))
  return all.length > shown.length
    ? text.andMore(shown.join(', '), numberText(all.length - shown.length))
    : shown.join(', ')
}

function shorten(words: string): string {
  return words.length > shownLength ? `${words.slice(0, shownLength - 1)}…` : words
}
