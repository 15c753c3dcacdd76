import pg from 'pg'

/** The SQLSTATE and the message of Citus 13.2 for a statement with a form of `test/house/statements/forms.ts`, by the rule. */
export const citusRefusals = {
  'empty select': ['42601', 'a column definition list is required for functions returning "record"'],
  'reference join': ['0A000', 'complex joins are only supported when all distributed tables are co-located'],
  'changeable in conflict': ['0A000', 'functions used in the WHERE clause of the ON CONFLICT clause must be IMMUTABLE'],
  'changeable in returning': ['0A000', 'non-IMMUTABLE functions are not allowed in the RETURNING clause'],
  'select in returning': ['0A000', 'subqueries are not supported in the RETURNING clause'],
  'volatile in change': ['0A000', 'functions used in UPDATE queries on distributed tables must not be VOLATILE'],
  'interval over column': ['0A000', 'STABLE functions used in UPDATE queries cannot be called with column references'],
  'lock in a joined list': ['22P04', 'missing data for column "id"'],
  copied: ['0A000', 'COPY FROM not supported with row-level security'],
} as const

export type RefusedForm = keyof typeof citusRefusals

type AnyQuery = (this: pg.Client, sent: unknown, ...rest: unknown[]) => unknown

/**
 * Lets every client of this process plan statements as Citus does, until the returned function is called. A statement is planned when it
 * runs, so a prepared one is refused at `execute`. `findForms` returns the rules that a text with a table of Citus breaks.
 */
export function planLikeCitus(findForms: (text: string) => readonly string[]): () => void {
  const prototype = pg.Client.prototype as unknown as { query: AnyQuery }
  const original = prototype.query
  const sessions = new WeakMap<pg.Client, Session>()
  prototype.query = function query(sent, ...rest) {
    const session = sessions.get(this) ?? { isWalled: false, prepared: new Map<string, string>() }
    sessions.set(this, session)
    const text = typeof sent === 'string' ? followSession(session, sent) : null
    const refusal = text === null ? undefined : findRefusal(findForms(text), session)
    if (refusal === undefined) return original.call(this, sent, ...rest)
    return Promise.reject(Object.assign(new Error(refusal[1]), { code: refusal[0] }))
  }
  return () => {
    prototype.query = original
  }
}

/** The state of a session that decides what Citus plans, and how. */
interface Session {
  isWalled: boolean
  /** Prepared texts by name. */
  prepared: Map<string, string>
}

/** Notes changes of the session. Returns the text that is planned now, or null if none is. */
function followSession(session: Session, sent: string): string | null {
  const prepare = /^prepare (?<name>\w+) as (?<text>[\s\S]*)$/.exec(sent)?.groups
  if (prepare !== undefined) {
    session.prepared.set(prepare['name']!, prepare['text']!)
    return null
  }
  if (sent.startsWith('set local role ')) session.isWalled = true
  if (/^(?:begin|commit|rollback)$/.test(sent)) session.isWalled = false
  if (sent === 'deallocate all') session.prepared.clear()
  const executed = /^execute (?<name>\w+)/.exec(sent)?.groups?.['name']
  if (executed !== undefined) return session.prepared.get(executed) ?? null
  return /^\s*(?:with|select|insert|update|delete)\b/i.test(sent) ? sent : null
}

/** Row-level security forbids a copy only behind the wall between accounts. */
function findRefusal(forms: readonly string[], { isWalled }: Session): readonly [string, string] | undefined {
  const refused = (Object.keys(citusRefusals) as RefusedForm[]).filter((form) => form !== 'copied' || isWalled)
  const form = refused.find((one) => forms.includes(one))
  return form === undefined ? undefined : citusRefusals[form]
}
