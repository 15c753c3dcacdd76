import { readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Caller } from '@overture/testing/kills/product-caller.ts'
import { listAll } from '@overture/testing/kills/kill-campaign.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { unpackEarlierSources, type EarlierSources } from '@overture/testing/package/earlier-sources.ts'
import { withoutLinkTokens } from '@overture/server/ground/text/link-tokens.ts'
import {
  acceptedBy,
  callerOf,
  countRows,
  fillInstallation,
  keyPrinted,
  mailUsers,
  stepsReceived,
  type FilledInstallation,
} from '@overture/testing/package/installation.ts'
import {
  installOverture,
  runCommand,
  startPackage,
  type InstalledPackage,
  type StartedPackage,
} from '@overture/testing/package/installed-package.ts'

/** Leads of the campaign that runs during the whole test; each gets two messages. */
const leads = Array.from({ length: 14 }, (_, at) => `lead${at}@r.test`)
const bothSteps = (email: string) => [`${email} first`, `${email} second`]

let place: string
let earlier: EarlierSources | null
let present: InstalledPackage
let smtp: SmtpDouble
let imap: ImapDouble

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'overture-upgrade-'))
  earlier = await unpackEarlierSources(place)
  present = await installOverture()
})
afterAll(async () => {
  await present?.remove()
  await rm(place, { recursive: true, force: true })
})

const environmentOf = (dataDir: string) => ({ OVERTURE_DATA_DIR: dataDir, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
const start = ({ command }: InstalledPackage, dataDir: string) =>
  startPackage({ command, environment: environmentOf(dataDir) })

async function openMail(): Promise<void> {
  smtp = await startSmtpDouble({ users: mailUsers })
  imap = await startImapDouble({ users: mailUsers })
}
async function closeMail(): Promise<void> {
  await smtp.stop()
  await imap.stop()
}

async function answersOf(call: Caller, paths: readonly string[]): Promise<Record<string, object>> {
  const answers: Record<string, object> = {}
  for (const path of paths) {
    const body = await expectOk(call('GET', path))
    // The total count of a list changes while mail is sent, but its first rows don't.
    answers[path] = Array.isArray(body['results']) ? body['results'] : body
  }
  return answers
}

/** Follows the guide: stops the leads that received a message unknown to the database, then resumes everything. */
async function resumeByTheGuide(server: StartedPackage, product: InstalledPackage, given: Given): Promise<string[]> {
  const { call, dataDir, filled, known } = given
  const before = smtp.accepted.length
  for (const id of [filled.running, filled.waiting])
    expect(await expectOk(call('GET', `/v2/campaigns/${id}`))).toMatchObject({
      status: 'paused',
      statusReason: 'restored',
    })
  const since = new Set(smtp.accepted.slice(known).flatMap(({ to }) => to))
  const rows = await listAll<{ id: string; email: string }>(call, `/v2/campaigns/${filled.running}/leads`)
  const ids = rows.filter(({ email }) => since.has(email)).map(({ id }) => id)
  if (ids.length > 0)
    await expectOk(call('POST', `/v2/campaigns/${filled.running}/leads/bulk`, { ids, status: 'stopped' }))
  const resumed = await runCommand(product, ['resume-after-restore', '--json'], environmentOf(dataDir))
  expect([resumed.code, resumed.stderr]).toEqual([0, ''])
  expect(smtp.accepted).toHaveLength(before)
  for (const id of [filled.running, filled.waiting]) await expectOk(call('POST', `/v2/campaigns/${id}/resume`))
  const left = leads.filter((email) => !since.has(email))
  const missing = left.flatMap(bothSteps).filter((step) => !stepsReceived(smtp.accepted).includes(step))
  await acceptedBy(smtp, before + missing.length)
  expect(await server.stop()).toBe(0)
  return left
}

interface Given {
  call: Caller
  dataDir: string
  filled: FilledInstallation
  /** Messages sent before the backup. */
  known: number
}

test('the release before is upgraded in the middle of its mail, and gone back to: every row is there, nobody is mailed twice', async ({
  skip,
}) => {
  if (earlier === null) return skip('No history here: the release before can not be built.')
  await openMail()
  const before = await installOverture(earlier.folder)
  try {
    // The earlier release is stopped in the middle of its campaign.
    const dataDir = join(place, 'upgraded')
    const first = await start(before, dataDir)
    const key = keyPrinted(first, 'live')
    const filled = await fillInstallation(callerOf(first, key), { smtp, imap }, leads)
    const answered = await answersOf(callerOf(first, key), filled.stable)
    await acceptedBy(smtp, 2 + 6)
    expect(await first.stop()).toBe(0)
    const known = smtp.accepted.length
    const had = await countRows(dataDir)

    // The present release makes a backup and migrates the schema.
    const migrated = await runCommand(present, ['migrate'], environmentOf(dataDir))
    expect([migrated.code, migrated.stderr]).toEqual([0, ''])
    const backups = earlier.lacks.length > 0 ? readdirSync(join(dataDir, 'backups')) : []
    expect(backups).toHaveLength(earlier.lacks.length > 0 ? 1 : 0)
    // The time of the last backup is stored as a setting.
    const settings = had['settings']! + backups.length
    const migrations = had['schema_migrations']! + earlier.lacks.length
    expect(await countRows(dataDir)).toMatchObject({ ...had, settings, schema_migrations: migrations })

    // The present release returns the same responses and continues the campaign.
    const second = await start(present, dataDir)
    expect(second.printed.filter((line) => line.includes('key: '))).toEqual([])
    const call = callerOf(second, key)
    // Earlier releases showed the tokens of links.
    expect(await answersOf(call, filled.stable)).toMatchObject(withoutLinkTokens(answered))
    await acceptedBy(smtp, known + 6)
    expect(await second.stop()).toBe(0)
    expect(new Set(stepsReceived(smtp.accepted)).size).toBe(smtp.accepted.length)

    // The earlier release refuses the newer schema and changes nothing.
    const upgraded = await countRows(dataDir)
    if (earlier.lacks.length > 0) {
      const refused = await runCommand(before, ['start'], { ...environmentOf(dataDir), PORT: '0' })
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/A newer release has brought the database to/),
      ])
      expect(await countRows(dataDir)).toEqual(upgraded)

      // To go back, the earlier release restores the backup that the upgrade made.
      const back = join(place, 'gone-back')
      await mkdir(back)
      await copyFile(join(dataDir, 'encryption.key'), join(back, 'encryption.key'))
      const restored = await runCommand(
        before,
        ['restore', join(dataDir, 'backups', backups[0]!), '--json'],
        environmentOf(back),
      )
      expect([restored.code, restored.stderr]).toEqual([0, ''])
      expect(JSON.parse(restored.stdout)).toMatchObject({ paused: 2 })
      const third = await start(before, back)
      const given = { call: callerOf(third, key), dataDir: back, filled, known }
      const lasting = Object.fromEntries(filled.lasting.map((path) => [path, answered[path]]))
      expect(await answersOf(given.call, filled.lasting)).toMatchObject(lasting)
      const left = await resumeByTheGuide(third, before, given)
      expect(left.length).toBeGreaterThan(0)
      for (const step of left.flatMap(bothSteps)) expect(stepsReceived(smtp.accepted)).toContain(step)
    }
    const received = stepsReceived(smtp.accepted)
    expect(received).toEqual([...new Set(received)])
    expect(received).not.toContain('grace@r.test second')
    expect(received).not.toContain('joan@r.test second')
  } finally {
    await before.remove()
    await closeMail()
  }
})

test('what is restored is counted equal and paused, and after it was resumed nobody is mailed twice', async () => {
  await openMail()
  try {
    const dataDir = join(place, 'kept')
    const into = join(place, 'restored')
    const file = join(place, 'kept.tar')
    const first = await start(present, dataDir)
    const key = keyPrinted(first, 'live')
    const filled = await fillInstallation(callerOf(first, key), { smtp, imap }, leads)
    await acceptedBy(smtp, 2 + 6)
    expect(await first.stop()).toBe(0)
    const had = await countRows(dataDir)
    const known = smtp.accepted.length
    const kept = await runCommand(present, ['backup', file, '--include-key', '--json'], environmentOf(dataDir))
    expect([kept.code, kept.stderr]).toEqual([0, ''])
    // More messages are sent after the backup, so the file doesn't contain them.
    const again = await start(present, dataDir)
    await acceptedBy(smtp, known + 4)
    expect(await again.stop()).toBe(0)

    const back = await runCommand(present, ['restore', file, '--json'], environmentOf(into))
    expect([back.code, back.stderr]).toEqual([0, ''])
    expect(JSON.parse(back.stdout)).toMatchObject({ paused: 2, rows: JSON.parse(kept.stdout).rows })
    const has = await countRows(into)
    // These tables grow: a pause is an event, the restore is recorded as an act of the operator, and settings contain the hold and
    // the restore.
    const grows = new Set(['events', 'audit_entries', 'audit_unsealed', 'settings'])
    const equal = (counts: Record<string, number>) => Object.entries(counts).filter(([name]) => !grows.has(name))
    expect(equal(has)).toEqual(equal(had))
    for (const name of grows) expect([name, has[name]! >= had[name]!]).toEqual([name, true])

    const third = await start(present, into)
    const given = { call: callerOf(third, key), dataDir: into, filled, known }
    const left = await resumeByTheGuide(third, present, given)
    const received = stepsReceived(smtp.accepted)
    expect(received).toEqual([...new Set(received)])
    for (const step of left.flatMap(bothSteps)) expect(received).toContain(step)
    expect(left.length).toBeGreaterThan(0)
  } finally {
    await closeMail()
  }
})

test('a schema from the future is refused in a sentence, by each command that would read it', async () => {
  const dataDir = join(place, 'future')
  const first = await start(present, dataDir)
  expect(await first.stop()).toBe(0)
  const { startEmbeddedPostgres } = await import('@overture/server/platform/db/embedded/embedded.shell.ts')
  const { createLogger } = await import('@overture/server/platform/log.shell.ts')
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), kind: 'command' })
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`)
  await client.end()
  await postgres.stop()
  for (const words of [['start'], ['migrate'], ['accounts', 'list']]) {
    const { code, stderr } = await runCommand(present, words, { ...environmentOf(dataDir), PORT: '0' })
    expect([words, code, stderr.trim()]).toEqual([
      words,
      1,
      expect.stringMatching(
        /^A newer release has brought the database to 9999_future\.sql: start that one, or bring a backup back\.$/,
      ),
    ])
  }
})
