import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { runOnce } from '@overture/testing/superuser.ts'
import { expectOk, type Caller } from '@overture/testing/kills/product-caller.ts'
import { listAll } from '@overture/testing/kills/kill-campaign.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import {
  acceptedBy,
  createScriptCaller,
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

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

/** Leads of the campaign that runs during the whole test. Each one gets two messages. */
const leads = Array.from({ length: 14 }, (_, at) => `lead${at}@r.test`)
const bothSteps = (email: string) => [`${email} first`, `${email} second`]

let place: string
let present: InstalledPackage
let smtp: SmtpDouble
let imap: ImapDouble

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'overture-restored-'))
  present = await installOverture()
})
afterAll(async () => {
  await present?.remove()
  await rm(place, { recursive: true, force: true })
})

const environmentOf = (dataDir: string) => ({ OVERTURE_DATA_DIR: dataDir, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
const start = (dataDir: string) => startPackage({ command: present.command, environment: environmentOf(dataDir) })

async function openMail(): Promise<void> {
  smtp = await startSmtpDouble({ users: mailUsers })
  imap = await startImapDouble({ users: mailUsers })
}
async function closeMail(): Promise<void> {
  await smtp.stop()
  await imap.stop()
}

/** Follows the guide: stops the leads that received a message unknown to the database, then resumes everything. */
async function resumeByTheGuide(server: StartedPackage, given: Given): Promise<string[]> {
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
  const resumed = await runCommand(present, ['resume-after-restore', '--json'], environmentOf(dataDir))
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

test('a restored database has the same rows, is paused, and after a resume sends no step twice', async () => {
  await openMail()
  try {
    const dataDir = join(place, 'kept')
    const into = join(place, 'restored')
    const file = join(place, 'kept.tar')
    const first = await start(dataDir)
    const key = keyPrinted(first, 'live')
    const filled = await fillInstallation(createScriptCaller(first, key), { smtp, imap }, leads)
    await acceptedBy(smtp, 2 + 6)
    expect(await first.stop()).toBe(0)
    const had = await countRows(dataDir)
    const known = smtp.accepted.length
    const kept = await runCommand(present, ['backup', file, '--include-key', '--json'], environmentOf(dataDir))
    expect([kept.code, kept.stderr]).toEqual([0, ''])
    // More messages are sent after the backup, so the file doesn't contain them.
    const again = await start(dataDir)
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

    const third = await start(into)
    const given = { call: createScriptCaller(third, key), dataDir: into, filled, known }
    const left = await resumeByTheGuide(third, given)
    const received = stepsReceived(smtp.accepted)
    expect(received).toEqual([...new Set(received)])
    for (const step of left.flatMap(bothSteps)) expect(received).toContain(step)
    expect(left.length).toBeGreaterThan(0)
  } finally {
    await closeMail()
  }
})

test('each command refuses the database of a newer release in one sentence', async () => {
  const dataDir = join(place, 'future')
  const first = await start(dataDir)
  expect(await first.stop()).toBe(0)
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), kind: 'command' })
  await runOnce(postgres.url, `insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`)
  await postgres.stop()
  for (const words of [['start'], ['migrate'], ['accounts', 'list']]) {
    const { code, stderr } = await runCommand(present, words, { ...environmentOf(dataDir), PORT: '0' })
    expect([words, code, stderr.trim()]).toEqual([
      words,
      1,
      expect.stringMatching(
        /^A newer release migrated the database to 9999_future\.sql\. Start that release, or restore a backup\.$/,
      ),
    ])
  }
})
