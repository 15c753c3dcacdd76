/** What decides whether a server can keep the promises. */
export interface ServerFacts {
  version: number
  /** It follows another server, and can only be read. */
  isStandby: boolean
  hasCitus: boolean
  /** Of this session, as the server, the database, the user or the address set it. */
  synchronousCommit: string
}

const versionMin = 150_000

/** Why a server can't hold the product's database, and what to do; null: it can. */
export function unfitness(facts: ServerFacts): string | null {
  if (facts.version < versionMin) return 'PostgreSQL 15 or newer is needed.'
  if (facts.isStandby)
    return 'this server follows another one and can only be read, and what was written last is missing here: name the one it follows.'
  if (facts.hasCitus)
    return (
      'this database has the extension citus, on which events would be lost without an error: ' +
      'use a database without it, and one per group of accounts where one is not enough.'
    )
  if (facts.synchronousCommit === 'off')
    return (
      'synchronous_commit is off, and what was answered could be gone after a crash: ' +
      'set it to on, for the server or with "alter database … set synchronous_commit = on".'
    )
  return null
}
