import type { Executor } from '../platform/db/database.ts'

interface OldVerification {
  accountId: string
  environment: string
  id: string
}

export async function listOldVerificationsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldVerification[]> {
  return db.query<OldVerification>(
    `select account_id, environment, id from verifications where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_verifications',
  )
}

export async function deleteOldVerifications(
  db: Executor,
  accountId: string,
  rows: readonly OldVerification[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from verifications where account_id = $1 and (environment, id) in (
       select environment, id from verifications where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_verifications',
  )
}

interface OldAddress {
  accountId: string
  environment: string
  verificationId: string
  email: string
}

export async function listOldVerifiedAddressesAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldAddress[]> {
  return db.query<OldAddress>(
    `select account_id, environment, verification_id, email from verification_addresses where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_verified_addresses',
  )
}

export async function deleteOldVerifiedAddresses(
  db: Executor,
  accountId: string,
  rows: readonly OldAddress[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from verification_addresses where account_id = $1 and (environment, verification_id, email) in (
       select environment, verification_id, email from verification_addresses where account_id = $1 and recorded_at < $2
         and (environment, verification_id, email) in (select * from unnest($3::text[], $4::text[], $5::text[]))
       for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.verificationId),
      rows.map((row) => row.email),
    ],
    'delete_old_verified_addresses',
  )
}

interface OldCheck {
  accountId: string
  environment: string
  email: string
}

export async function listOldAddressChecksAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldCheck[]> {
  return db.query<OldCheck>(
    `select account_id, environment, email from address_checks where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_address_checks',
  )
}

export async function deleteOldAddressChecks(
  db: Executor,
  accountId: string,
  rows: readonly OldCheck[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from address_checks where account_id = $1 and (environment, email) in (
       select environment, email from address_checks where account_id = $1 and recorded_at < $2
         and (environment, email) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.email)],
    'delete_old_address_checks',
  )
}
