import type { AddListMembersResults } from '@overture/sdk'

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
