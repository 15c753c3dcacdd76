import { server } from './rooms.ts'
import { importsOf, roleOf, type Module } from './source.ts'

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
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const known = new Map<string, string | null>()
  function causeOf(path: string): string | null {
    const found = known.get(path)
    if (found !== undefined) return found
    // Ends the search in a cycle of imports.
    known.set(path, null)
    const cause = findCause(path)
    known.set(path, cause)
    return cause
  }
  function findCause(path: string): string | null {
    const module = byPath.get(path)
    if (module === undefined || path === clock) return null
    if (waitingRoles.includes(roleOf(path) ?? '') || waits.test(module.text)) return path
    const imports = importsOf(module).filter((one) => !one.typeOnly && mayLead(one.path))
    return imports.map((one) => causeOf(one.path)).find((cause) => cause !== null) ?? null
  }
  const commands = modules.filter(({ path }) => roleOf(path) === 'commands')
  return commands.flatMap(({ path }) => {
    const cause = causeOf(path)
    return cause === null ? [] : [`${path}: a command waits, through ${cause}`]
  })
}

function mayLead(path: string): boolean {
  return path.startsWith(`${server}/`) && !['sql', 'index'].includes(roleOf(path) ?? '')
}

/** Functions of commands that open two transactions, so that a crash between them leaves the work half done. */
export function dividedCommands({ path, text }: Module): string[] {
  if (roleOf(path) !== 'commands') return []
  return text
    .split(/^(?=(?:export )?(?:async )?function )/m)
    .filter((part) => (part.match(/\.transaction\(/g) ?? []).length > 1)
    .map((part) => `${path}: ${/function (\w+)/.exec(part)?.[1] ?? ''} opens two transactions`)
}
