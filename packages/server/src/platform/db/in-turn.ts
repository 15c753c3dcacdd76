import type { Executor } from './database.ts'

/** Serializes the statements of concurrent readers on a transaction's single connection: each is sent after the previous reply. */
export function inTurn(db: Executor): Executor {
  let last: Promise<unknown> = Promise.resolve()
  const after = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(ask)
    last = answer.catch(() => undefined)
    return answer
  }
  return {
    query: <Row>(text: string, values?: readonly unknown[], name?: string) =>
      after(() => db.query<Row>(text, values, name)),
    execute: (text, values, name) => after(() => db.execute(text, values, name)),
  }
}
