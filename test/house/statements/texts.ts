import { isTest, readModules, findRole } from '../source.ts'

/** A sent statement and the function of `*.sql.ts` that sends it. */
export interface SentStatement {
  /** `file: function`. */
  name: string
  text: string
  /** Its name as a prepared statement. */
  preparedAs?: string | undefined
  /** Sent by a call with real arguments (`by-hand.ts`). */
  isByHand?: boolean
  /** SQL literals for the parameters, if the text needs certain ones. */
  values?: readonly string[] | undefined
}

/**
 * Excluded from the rules: the backup copies a whole server from its catalog in its own session, and has no statements for a single
 * account.
 */
const ofOneServer = 'packages/server/src/platform/backup/'

/** Stops a function that queries as long as it gets rows. */
const sentMax = 12

/**
 * Collects the text of every statement in `*.sql.ts`. It calls each function with a database that records queries: once with
 * arguments that contain values for everything, and twice with empty arguments. `unreached` lists the lines with queries that no call
 * reached.
 */
export async function statementsOfFiles(): Promise<{ statements: SentStatement[]; unreached: string[] }> {
  const modules = readModules().filter(
    (module) => findRole(module.path) === 'sql' && !isTest(module) && !module.path.startsWith(ofOneServer),
  )
  const statements: SentStatement[] = []
  const unreached: string[] = []
  for (const { path, text } of modules) {
    const reached = new Set<number>()
    const exported = (await import(/* @vite-ignore */ `../../../${path}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || String(value).startsWith('class')) continue
      for (const missing of [undefined, null, 'nothing is']) {
        const filled = typeof missing === 'string'
        const argument = anything(filled, missing)
        const note = (sent: string, preparedAs: string | undefined): void => {
          reached.add(lineIn(path, new Error().stack ?? ''))
          statements.push({ name: `${path}: ${name}`, text: sent, preparedAs })
        }
        await call(value as (...args: unknown[]) => unknown, recorder(note, filled ? [argument] : []), argument)
      }
    }
    unreached.push(...askingLines(text).flatMap((line) => (reached.has(line) ? [] : [`${path}:${line}`])))
  }
  const unique = new Map(statements.map((one) => [`${one.name} ${one.text}`, one]))
  return { statements: [...unique.values()], unreached }
}

/** A text as a connection sends it. */
export interface SentText {
  text: string
  preparedAs?: string | undefined
}

const framed = /\bat (?:async )?(?:\w+\.)*(\w+) \(.*?(packages\/\w+\/src\/[^()]*\.sql\.ts):\d+:\d+\)/

/** The outermost function of `*.sql.ts` in the stack, which sends the text. Null if a test or a test tool sends it. */
export function sentFrom({ text, preparedAs }: SentText, stack: string): SentStatement | null {
  const frames = stack.split('\n').map((line) => framed.exec(line))
  const [, , path] = frames.find((frame) => frame !== null) ?? []
  if (path === undefined || path.startsWith('packages/testing/') || path.startsWith(ofOneServer)) return null
  const name = frames.findLast((frame) => frame?.[2] === path)?.[1] as string
  return { name: `${path}: ${name}`, text, preparedAs }
}

function askingLines(text: string): number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => (/\.(?:query|execute|copyFrom)\b/.test(line) ? [index + 1] : []))
}

function lineIn(path: string, stack: string): number {
  const frame = stack.split('\n').find((line) => line.includes(path))
  return Number(/:(\d+):\d+\)?$/.exec(frame ?? '')?.[1] ?? 0)
}

// Errors of the function after its query don't matter, since the arguments are fake.
async function call(run: (...args: unknown[]) => unknown, db: unknown, argument: unknown): Promise<void> {
  try {
    const answer = run(db, argument, argument, argument, argument, argument)
    if (Symbol.asyncIterator in Object(answer)) for await (const _one of answer as AsyncIterable<unknown>) break
    else await answer
  } catch {
    return
  }
}

function recorder(note: (text: string, preparedAs: string | undefined) => void, rows: unknown[]): unknown {
  let asks = 0
  const ask =
    (answer: unknown) =>
    (statement: string | { text: string }, _values?: unknown, preparedAs?: string): Promise<unknown> => {
      note(typeof statement === 'string' ? statement : statement.text, preparedAs)
      if (++asks > sentMax) throw new Error('It asks again and again.')
      return Promise.resolve(answer)
    }
  const ignore = (): void => undefined
  const count = rows.length
  return {
    query: ask(rows),
    execute: ask(count),
    copyFrom: ask(count),
    wake: ignore,
    beforeCommit: ignore,
    afterCommit: ignore,
  }
}

/** A value that works as any argument: a list or record of itself, a table's name, a number. If `filled` is false, it is an empty one. */
function anything(filled: boolean, missing: unknown): unknown {
  const own: Record<string | symbol, unknown> = {
    [Symbol.toPrimitive]: (hint: string) => (hint === 'string' ? 'events' : 1),
    [Symbol.iterator]: function* () {
      if (filled) yield self
    },
    length: filled ? 1 : 0,
    size: filled ? 1 : 0,
    map: (run: (one: unknown, index: number) => unknown) => (filled ? [run(self, 0)] : []),
    flatMap: (run: (one: unknown, index: number) => unknown) => (filled ? [run(self, 0)].flat() : []),
    filter: () => (filled ? [self] : []),
    slice: () => (filled ? [self] : []),
    toSorted: () => (filled ? [self] : []),
    toString: () => 'events',
    toISOString: () => 'a',
    getTime: () => 1,
    // `order` is inserted into the statement's text, so it must be valid SQL.
    order: 'asc',
  }
  const field = { value: 1, enumerable: true, configurable: true }
  const self: unknown = new Proxy(() => undefined, {
    // A value with `then` would be awaited like a promise.
    get: (_target, key) => (key === 'then' ? undefined : key in own ? own[key] : filled ? self : missing),
    apply: () => self,
    ownKeys: () => (filled ? ['a'] : []),
    getOwnPropertyDescriptor: (_target, key) => (key === 'a' ? field : undefined),
  })
  return self
}
