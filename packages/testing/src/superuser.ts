import pg from 'pg'
import { administrator } from '@overture/server/platform/db/embedded/cluster.shell.ts'

/** The superuser of the server. A PostgreSQL that the tests did not start is used by the one user that its address names. */
export function superuserName(user: string): string {
  return process.env.TEST_DATABASE_URL === undefined ? administrator : user
}

export function superuserUrl(url: string): string {
  const address = new URL(url)
  address.username = superuserName(address.username)
  return address.toString()
}

/** Runs statements that the product's own role may not run. */
export function runAsSuperuser(url: string, statements: string): Promise<void> {
  return runOnce(superuserUrl(url), statements)
}

/** Runs statements in a connection of their own. */
export async function runOnce(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/** Drops a database. Its owner may not end a vacuum by the server that happens to run in it. */
export function dropDatabase(url: string, name: string): Promise<void> {
  return runAsSuperuser(url, `drop database if exists ${name} with (force)`)
}

/** Tests create databases, and fill tables without their triggers. The product's own role may do neither. */
export function grantRightsOfTests(url: string): Promise<void> {
  return runAsSuperuser(
    url,
    'alter role overture createdb; grant set on parameter session_replication_role to overture',
  )
}
