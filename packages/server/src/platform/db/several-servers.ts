/**
 * The facts about a database of several servers that the driver needs. Everything else about such a database is in `platform/distributed`,
 * which uses the driver and so comes after it.
 */

/** The SQL condition that the database is distributed. */
export const spansServers = `exists (select from pg_extension where extname = 'citus')`

/** The setting that keeps later settings of a session on the first server. */
export const settingsStayHere = `set citus.propagate_set_commands = 'local'`

/** The settings that a session needs before it changes tables on several servers. */
export const sessionOfOperator = `set citus.enable_unsafe_triggers = on; ${settingsStayHere}`

/** Why a database does not fit the setting that says whether it is distributed, with the remedy; null if it fits. */
export function findMismatch(isDistributed: boolean, wantsDistributed: boolean): string | null {
  if (isDistributed && !wantsDistributed)
    return (
      'this database has the extension citus, on which events would be lost without an error where it is not prepared for them: ' +
      'use a database without it, and one per group of accounts where one is not enough; ' +
      'or run overture distribute and set OVERTURE_CITUS=on, as docs/citus.md says.'
    )
  if (wantsDistributed && !isDistributed)
    return (
      'OVERTURE_CITUS is on, and this database lacks the extension citus: ' +
      'use the coordinator and create the extension there, or set it to off.'
    )
  return null
}

/** The constraint that an error of another server names. The error has no field for it, and its message adds the number of the shard. */
export function constraintInMessage(message: string): string | undefined {
  const name = /constraint "([^"]{1,63})"/.exec(message)?.[1]
  return name && withoutShard(name)
}

/** The name that the product gave to a constraint whose name may have the number of a shard at its end. */
export function withoutShard(constraint: string): string {
  return constraint.replace(/_\d{6,}$/, '')
}
