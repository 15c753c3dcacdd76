/** Settings of the database that decide whether it keeps what it has acknowledged. */
export interface Durability {
  fsync: boolean
  fullPageWrites: boolean
  standbys: number
  /** The standbys that must have a commit before it is acknowledged. Empty if the server waits for no standby. */
  synchronousStandbys: string
}

/** Lists the ways in which an acknowledged message could be lost, and then be sent again. */
export function durabilityRisks({ fsync, fullPageWrites, standbys, synchronousStandbys }: Durability): string[] {
  const risks: string[] = []
  if (!fsync) risks.push('fsync is off, so after a crash of the machine, sent messages may be sent again')
  if (!fullPageWrites) risks.push('full_page_writes is off, so a crash of the machine may damage tables')
  if (standbys > 0 && synchronousStandbys.trim() === '')
    risks.push(
      'no standby is synchronous (synchronous_standby_names), so after a failover the last messages may be sent again',
    )
  return risks
}
