import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Executor } from '../platform/db/database.ts'
import { type AttemptCounts, devicePrefix } from './attempts.ts'

interface Attempt {
  addressHash: Buffer
  /** The network of the try, or the known browser. */
  ip: string
  now: Date
}

/** Takes locks until the end of the transaction, so that concurrent tries of the same address or network are counted one by one. */
export async function lockAttemptsAcrossAccounts(tx: Executor, { addressHash, ip }: Attempt): Promise<void> {
  const lock = `select pg_advisory_xact_lock(hashtextextended($1, 7310579604))`
  for (const key of [`ip ${ip}`, `address ${addressHash.toString('hex')}`])
    await tx.execute(lock, [key], 'lock_sign_in_attempts')
}

export async function insertAttemptAcrossAccounts(db: Executor, { addressHash, ip, now }: Attempt): Promise<void> {
  await db.execute(
    `insert into sign_in_attempts (address_hash, ip, at) values ($1, $2, $3)`,
    [addressHash, ip, now],
    'insert_sign_in_attempt',
  )
}

export async function findAttemptCountsAcrossAccounts(
  db: Executor,
  { addressHash, ip }: Pick<Attempt, 'addressHash' | 'ip'>,
  { since, now }: { since: Date; now: Date },
): Promise<AttemptCounts> {
  const rows = await db.query<AttemptCounts>(
    `select p.count as of_pair, p.first as first_of_pair, a.count as of_address, a.first as first_of_address,
       i.count as of_ip, i.in_minute as of_ip_in_minute, i.first as first_of_ip
     from (select count(*)::int as count, min(at) as first from sign_in_attempts
         where address_hash = $1 and ip = $2 and at > $3) p,
       (select count(*)::int as count, min(at) as first from sign_in_attempts
         where address_hash = $1 and not starts_with(ip, '${devicePrefix}') and at > $3) a,
       (select count(*)::int as count, count(*) filter (where at > $4)::int as in_minute, min(at) as first
         from sign_in_attempts where ip = $2 and at > $3) i`,
    [addressHash, ip, since, new Date(now.getTime() - minuteMs)],
    'find_sign_in_attempt_counts',
  )
  return rows[0]!
}

/**
 * Called after a sign-in, which shows that the failures of that address from that network were mistakes. Failures from other
 * networks still count.
 */
export async function deleteAttemptsOfPairAcrossAccounts(
  db: Executor,
  { addressHash, ip }: Pick<Attempt, 'addressHash' | 'ip'>,
): Promise<void> {
  await db.execute(
    `delete from sign_in_attempts where address_hash = $1 and ip = $2`,
    [addressHash, ip],
    'delete_sign_in_attempts_of_pair',
  )
}

export async function deleteOldAttemptsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from sign_in_attempts where id in (select id from sign_in_attempts where at <= $1 limit $2)`,
    [before, limit],
    'delete_old_sign_in_attempts',
  )
}
