import { server } from './rooms.ts'
import { leadingTo, findRole, type Import, type Module } from './source.ts'

/** Programs that wait, on a network, a timer or another thread. The clock itself only offers the functions for it. */
const waits = /\b(?:sleep|setTimeout|setInterval|createTurns)\(|\bfor await\b/
const waitingRoles = ['client', 'thread', 'worker']
const clock = `${server}/platform/clock.ts`

/**
 * Commands that can wait, one sentence each. A command is one transaction, and a transaction that waits for something else holds its
 * locks and its connection. A command may import only files that don't wait, directly or through other files. Statements wait for the
 * database alone, and an index offers more than one importer uses, so both end the search.
 */
export function waitingCommands(modules: readonly Module[]): string[] {
  const sources = modules.filter(({ path, text }) => {
    return path !== clock && (waitingRoles.includes(findRole(path) ?? '') || waits.test(text))
  })
  const mayLead = ({ path }: Import): boolean =>
    path.startsWith(`${server}/`) && path !== clock && !['sql', 'index'].includes(findRole(path) ?? '')
  const causes = leadingTo(
    modules,
    sources.map(({ path }) => path),
    mayLead,
  )
  return modules.flatMap(({ path }) => {
    const cause = findRole(path) === 'commands' ? causes.get(path) : undefined
    return cause === undefined ? [] : [`${path}: a command waits, through ${cause}`]
  })
}

/** Functions of commands that open two transactions, so that a crash between them leaves the work half done. */
export function dividedCommands({ path, text }: Module): string[] {
  if (findRole(path) !== 'commands') return []
  return text
    .split(/^(?=(?:export )?(?:async )?function )/m)
    .filter((part) => (part.match(/\.transaction\(/g) ?? []).length > 1)
    .map((part) => `${path}: ${/function (\w+)/.exec(part)?.[1] ?? ''} opens two transactions`)
}
