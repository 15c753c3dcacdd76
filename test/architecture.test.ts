import { describe, expect, test, vi } from 'vitest'
import { unusedExports } from './house/exports.ts'
import { consoleBreaches } from './house/console.ts'
import { dividedCommands, waitingCommands } from './house/commands.ts'
import { breaches, returningImports, cycles, knownSlices } from './house/imports.ts'
import {
  callsItsTestsIt,
  limitsWithoutReason,
  measuresTheMachine,
  moodsAsTypes,
  privateByKeyword,
  unnamedSpans,
  vagueExports,
} from './house/names.ts'
import { namedOutside, outsideSystems } from './house/outside-systems.ts'
import { refusedByLinter } from './house/linter.ts'
import { clientsWithoutReceiver, receiversWithoutClient } from './house/receivers.ts'
import { filesPerRoomMax, knows, linesPerFileMax, purePackages, server } from './house/rooms.ts'
import { crowdedRooms, longFiles, longLines } from './house/sizes.ts'
import { isTest, readModules, findRole, findRoom, type Module } from './house/source.ts'
import {
  clockReaders,
  hasParallelLists,
  leasesByNodeClock,
  readsDatabaseClock,
  statementOutsideSql,
  statusLists,
} from './house/sql.ts'
import { unplannedBreaches } from './house/statements/held.ts'
import { statementsOfFiles } from './house/statements/texts.ts'
import {
  foreignWriters,
  foreignWrites,
  migrationTexts,
  missingStatements,
  namedStatements,
  tableOwners,
  tablesOfNobody,
  unplannedWrites,
} from './house/tables.ts'

// The rules for SQL parse every statement of the product.
vi.setConfig({ testTimeout: 300_000 })

/** A lower bound close to the real number, so that the rules aren't checked on an empty list. */
const modulesMin = 450

const house = readModules()
const production = house.filter((module) => !isTest(module))
/** The files that only tests use, without the tests themselves. */
const props = house.filter(({ path }) => path.startsWith('packages/testing/') && !path.endsWith('.test.ts'))
const owners = tableOwners(migrationTexts())

const isServerOrPure = ({ path }: Module): boolean =>
  findRoom(path) !== null || Object.keys(purePackages).some((name) => path.startsWith(`packages/${name}/src/`))

describe('modules', () => {
  test('are found and read', () => expect(production.length).toBeGreaterThan(modulesMin))

  test('import only lower modules, and pure files are pure', () => expect(production.flatMap(breaches)).toEqual([]))

  test('no import leads out of a sub-folder and back into it', () => expect(returningImports(production)).toEqual([]))

  test('a command is one transaction and waits for nothing else', () =>
    expect([...waitingCommands(production), ...production.flatMap(dividedCommands)]).toEqual([]))

  test("the console's modules follow its order", () => expect(production.flatMap(consoleBreaches)).toEqual([]))

  test('each slice imports exactly the slices that the plan lists', () =>
    expect(knownSlices(production)).toEqual(knows))

  test('there are no import cycles, including type imports', () => expect(cycles(production)).toEqual([]))

  test('name an outside system only in its room or with a reason', () => expect(namedOutside(house)).toEqual([]))

  test('every export is used elsewhere', () => expect(unusedExports(house)).toEqual([]))

  test('a minute, an hour and a day are named constants', () =>
    expect(production.filter(isServerOrPure).flatMap(unnamedSpans)).toEqual([]))

  test('no test measures time or memory', () =>
    expect(house.filter(measuresTheMachine).map(({ path }) => path)).toEqual([]))
  test('tests are called test, not it', () => expect(house.filter(callsItsTestsIt).map(({ path }) => path)).toEqual([]))

  test('type names are nouns', () => {
    const rooms =
      /^packages\/(?:server|cli|contract|ground|planner|mail-reading|people-index|sdk|console)\/(?!src\/generated\/)/
    expect(production.filter(({ path }) => rooms.test(path)).flatMap(moodsAsTypes)).toEqual([])
  })

  test('no export is named …Of', () => expect(production.flatMap(vagueExports)).toEqual([]))

  test('a time limit of a test file has a reason', () => expect(house.flatMap(limitsWithoutReason)).toEqual([]))

  test('classes have private members by # only', () => expect(house.flatMap(privateByKeyword)).toEqual([]))

  test('slices and folders stay below the file limit', () =>
    expect(crowdedRooms([...production, ...props])).toEqual([]))

  test('that open connections name the receiver in the data flows', () => {
    expect(clientsWithoutReceiver(production)).toEqual([])
    expect(receiversWithoutClient(production)).toEqual([])
  })

  test('files stay below the line limit, those that only tests use too', () => expect(longFiles(house)).toEqual([]))

  test('lines stay below the length limit, in tests too', () => expect(house.flatMap(longLines)).toEqual([]))
})

describe('SQL', () => {
  test('uses lead statuses from one shared list', () => expect(production.flatMap(statusLists)).toEqual([]))

  test('is only in *.sql.ts files', () => {
    // The driver's folders query the server about itself: channels, databases, roles.
    const drivers = [`${server}/platform/db/`, `${server}/platform/distributed/`]
    const isDriver = (path: string) => drivers.some((folder) => path.startsWith(folder))
    const others = production.filter(({ path }) => findRole(path) !== 'sql' && !isDriver(path))
    expect(others.filter(statementOutsideSql).map(({ path }) => path)).toEqual([])
  })

  test("reads the database's clock only for leases and housekeeping", () => {
    const readers = production
      .filter(({ path }) => findRoom(path) !== null && findRole(path) === 'sql')
      .filter(readsDatabaseClock)
    expect(readers.map(({ path }) => path.slice(server.length + 1)).sort()).toEqual(clockReaders)
  })

  test("never ends a lease by a node's clock", () => {
    const leasing = production.filter(({ path, text }) => findRole(path) === 'sql' && text.includes('lease_until'))
    expect(leasing.length).toBeGreaterThan(10)
    expect(leasing.flatMap(leasesByNodeClock)).toEqual([])
  })

  test('reads rows of five or more columns by `listedRows`', () => {
    const found = production.filter((module) => findRole(module.path) === 'sql' && hasParallelLists(module))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  // `statements.test.ts` checks the rules on planted violations.
  test('follows the rules of test/house/statements/rules.ts, or states an exception', async () =>
    expect(unplannedBreaches((await statementsOfFiles()).statements)).toEqual([]))
})

describe('tables', () => {
  test('have an owner: a slice or a lower module', () => {
    expect(owners.size).toBeGreaterThan(50)
    expect(tablesOfNobody(owners)).toEqual([])
  })

  test('are written only by their owner or by listed exceptions', () =>
    expect(unplannedWrites(production, owners)).toEqual([]))

  test('have comments that name existing statements', () => {
    const named = namedStatements(migrationTexts())
    expect(named.length).toBeGreaterThan(20)
    expect(missingStatements(named, production)).toEqual([])
  })
})

describe('a planted violation is found', () => {
  test.each([
    ['the platform importing a slice', 'platform/db/x.shell.ts', `import { a } from '../../campaigns/index.ts'`],
    ['a slice importing the composition', 'campaigns/x.shell.ts', `import { a } from '../composition/routes.ts'`],
    ['a slice past an index', 'delivery/x.shell.ts', `import { a } from '../campaigns/campaigns.sql.ts'`],
    ['a slice importing one outside the plan', 'campaigns/x.commands.ts', `import { a } from '../delivery/index.ts'`],
    [
      'a sub-room importing a later one',
      'inbox/receive/x.ts',
      `import { a } from '../conversations/conversation-texts.ts'`,
    ],
    ['a room of the platform importing a later one', 'platform/db/x.shell.ts', `import { a } from '../http/paging.ts'`],
    ['a sub-room importing a door', 'inbox/receive/x.shell.ts', `import { a } from '../index.ts'`],
    ['a sub-folder outside the plan', 'inbox/attic/x.ts', `export const a = 1`],
    ['a sub-room with an index', 'inbox/receive/index.ts', `export const a = 1`],
    ['a pure file importing a shell', 'campaigns/x.ts', `import { a } from './campaigns.sql.ts'`],
    ['a pure file reading the clock', 'campaigns/x.ts', `export const now = () => Date.now()`],
    ['a shell reading the clock', 'campaigns/x.shell.ts', `export const now = () => new Date()`],
    ['a pure file that waits', 'campaigns/x.ts', `setTimeout(stop, 1)`],
    ['a pure file opening a socket', 'inbox/x.ts', `import { connect } from 'node:net'`],
    ['a pure file of the platform opening a file', 'platform/db/x.ts', `import { open } from 'node:fs/promises'`],
    ['wiring that opens a socket', 'composition/x.ts', `import { connect } from 'node:net'`],
    ['a slice reading the environment', 'campaigns/x.shell.ts', `const a = process.env.A`],
    ['the product importing props of tests', 'inbox/x.shell.ts', `import { a } from '@overture/testing/app.ts'`],
  ])('%s', (_name, path, text) => expect(breaches({ path: `${server}/${path}`, text })).toHaveLength(1))

  test.each([
    ['a command that sleeps', [['x.commands.ts', `await sleep(1)`]]],
    [
      'a command that calls a client',
      [
        ['x.commands.ts', `import { a } from './a.client.ts'`],
        ['a.client.ts', ''],
      ],
    ],
    [
      'a command that imports a file that waits',
      [
        ['x.commands.ts', `import { a } from './a.shell.ts'`],
        ['a.shell.ts', `import { b } from './b.ts'`],
        ['b.ts', `for await (const one of many) count(one)`],
      ],
    ],
  ] as const)('%s', (_name, files) => {
    const modules = files.map(([path, text]) => ({ path: `${server}/people/${path}`, text }))
    expect(waitingCommands(modules)).toHaveLength(1)
  })

  test.each([
    ['Citus', `// Citus sends it to each server.`],
    ['OpenSearch', `import { OpenSearchClient } from '../lead-finder/cluster/open-search.client.ts'`],
    ['Stripe', `export const stripeKey = 1`],
    ['a replica', `import { Replica } from '../platform/replica/replica.client.ts'`],
  ])('an outside system named outside its room, and an unneeded exception: %s', (name, text) => {
    const planted = { path: `${server}/people/x.shell.ts`, text }
    expect(namedOutside([...house, planted])).toEqual([`${planted.path}: names ${name}`])
    const setting = { ...planted, text: `// OVERTURE_CITUS, STRIPE_SECRET_KEY: docs/citus.md` }
    expect(namedOutside([...house, setting])).toEqual([])
    const [listed = ''] = Object.keys(outsideSystems.find((system) => system.name === name)?.elsewhere ?? {})
    expect(namedOutside(house.filter(({ path }) => path !== listed))).toContain(`${listed}: does not name ${name}`)
  })

  test('a sub-folder whose import leads back to it', () => {
    const modules = [
      ['leads/x.commands.ts', `import { a } from '../campaigns.commands.ts'`],
      ['campaigns.commands.ts', `import { b } from './more.commands.ts'`],
      ['more.commands.ts', `import { c } from './leads/y.commands.ts'`],
      ['leads/y.commands.ts', ''],
      ['sequence/z.ts', `import { d } from '../other.ts'`],
      ['other.ts', ''],
    ].map(([path, text = '']) => ({ path: `${server}/campaigns/${path}`, text }))
    const [found, ...others] = returningImports(modules)
    expect(others).toEqual([])
    expect(found).toMatch(/leads\/x\.commands\.ts: imports .*, which leads back to .*leads\/y\.commands\.ts$/)
  })

  test('a written-out list of lead statuses', () =>
    expect(statusLists({ path: `${server}/people/x.sql.ts`, text: `status in ('pending', 'active')` })).toHaveLength(1))

  test('a command with two transactions', () => {
    const text = `export async function a(db) {\n  await db.transaction(b)\n  await db.transaction(c)\n}\n`
    expect(dividedCommands({ path: `${server}/people/x.commands.ts`, text })).toHaveLength(1)
    expect(dividedCommands({ path: `${server}/people/x.shell.ts`, text })).toHaveLength(0)
  })

  test.each([
    ['importing the server', `import { a } from '@overture/server/campaigns/index.ts'`],
    ['importing a type of the server', `import type { A } from '@overture/server/platform/ids.ts'`],
    ['importing a pure package that it does not know', `import { a } from '@overture/mail-reading/mime/mime.ts'`],
    ['opening a file', `import { open } from 'node:fs/promises'`],
    ['opening a connection', `import pg from 'pg'`],
    ['reading the clock', `export const now = () => Date.now()`],
    ['reading the environment', `export const a = process.env.A`],
    ['waiting', `setTimeout(stop, 1)`],
  ])('a pure package %s', (_name, text) =>
    expect(breaches({ path: 'packages/planner/src/x.ts', text })).toHaveLength(1),
  )

  test.each([
    ['a package for Node', `import { Pool } from 'pg'`],
    ['a module of Node', `import { readFile } from 'node:fs/promises'`],
    ['the document', `import { a } from '../document/openapi.ts'`],
    ['a global of Node', `export const a = Buffer.from('')`],
  ])('the contract using %s', (_name, text) =>
    expect(breaches({ path: 'packages/contract/src/x.ts', text })).toHaveLength(1),
  )

  test.each([
    ['the contract', `import type { Campaign } from '@overture/contract'`],
    ['a module of Node', `import { readFile } from 'node:fs/promises'`],
    ['a global of Node', `export const a = process.env.A`],
    ['a package', `import { z } from 'zod'`],
  ])('the client using %s', (_name, text) => expect(breaches({ path: 'packages/sdk/src/x.ts', text })).toHaveLength(1))

  test('assistants reaching past the API', () => {
    const text = `import { createDatabase } from '@overture/server/platform/db/pool.client.ts'`
    expect(breaches({ path: 'packages/mcp/src/x.ts', text })).toHaveLength(1)
  })

  test.each([
    ['zod', 'home/x.tsx', `import { z } from 'zod'`],
    ['the server', 'home/x.tsx', `import { a } from '@overture/server/a.ts'`],
    ['schemas of the contract', 'home/x.tsx', `import { campaign } from '@overture/contract/campaigns/campaigns.ts'`],
    ['a clock', 'home/x.page.tsx', `export const at = Date.now()`],
    ['a form without its operation', 'home/x.tsx', `export const a = <Form submit={() => b} submitLabel={c}>d</Form>`],
    ['markup made from text', 'home/x.tsx', `export const a = <p dangerouslySetInnerHTML={{ __html: b }} />`],
    ['words in markup', 'home/x.tsx', `export const a = <p>Hello there</p>`],
    ['words for a screen reader in markup', 'home/x.tsx', `export const a = <p aria-label="Hello there" />`],
    ['a feature past an index', 'home/x.tsx', `import { a } from '../inbox/a.tsx'`],
    ['what is around it', 'home/x.tsx', `import { a } from '../shell/a.tsx'`],
    ['a feature in the platform', 'platform/ui/x.tsx', `import { a } from '../../inbox/index.ts'`],
    ['what asks in a file without a role', 'home/x.tsx', `import { useReading } from '../platform/api/query.ts'`],
    ['a request past the client', 'home/x.queries.ts', `export const a = fetch('/v2/account')`],
  ])('the console using %s', (_name, path, text) =>
    expect(consoleBreaches({ path: `packages/console/src/${path}`, text })).toHaveLength(1),
  )

  test.each([
    ['a socket', `import { connect } from 'node:net'`],
    ['a library', `import { ImapFlow } from 'imapflow'`],
    ['a library that is loaded late', `const { Stripe } = await import('stripe')`],
    ['a request', `export const a = async () => await fetch(url)`],
  ])('a client without a receiver: %s', (_name, text) => {
    const path = `${server}/people/x.client.ts`
    expect(clientsWithoutReceiver([...production, { path, text }])).toEqual([
      `${path}: no entry in test/house/receivers.ts`,
    ])
  })

  test('a receiver that the list of data flows leaves out', () => {
    const without = production.map((module) => ({ ...module, text: module.text.replaceAll(`flow('traces'`, '') }))
    expect(receiversWithoutClient(without)).toEqual(['traces'])
  })

  test('a folder with too many files, in the server and elsewhere', () => {
    const files = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `${folder}/f${index}.ts`, text: '' }))
    const [slice, folder] = [`${server}/campaigns`, 'packages/cli/src']
    expect(crowdedRooms([...files(slice, filesPerRoomMax), ...files(folder, filesPerRoomMax)])).toEqual([])
    expect(crowdedRooms([...files(slice, filesPerRoomMax + 1), ...files(folder, filesPerRoomMax + 1)])).toEqual([
      `campaigns: ${filesPerRoomMax + 1} files`,
      `${folder}: ${filesPerRoomMax + 1} files`,
    ])
  })

  test('a file that is too long', () => {
    const text = 'a\n'.repeat(linesPerFileMax)
    expect(longFiles([{ path: 'a.ts', text }])).toEqual([])
    const paths = ['a.ts', 'packages/testing/src/a.server.ts', 'test/house/a.ts', 'a.test.ts', 'a.test.tsx']
    expect(longFiles(paths.map((path) => ({ path, text: `${text}a\n` })))).toEqual(paths.slice(0, 3))
  })

  const steps = (count: number) => Array.from({ length: count }, (_, index) => `  a(${index})\n`).join('')
  test.each([
    [
      'a function that is too long',
      `export function f(a: (n: number) => void): void {\n${steps(50)}}\n`,
      'max-lines-per-function',
    ],
    [
      'a function of five arguments',
      'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1): number => a + b + c + d + e\n',
      'max-params',
    ],
    ['anything at all', 'export const f = (a: any): unknown => a\n', 'no-explicit-any'],
    ['a default export', 'export default 1\n', 'no-default-export'],
  ])('by the linter: %s', async (_name, text, rule) => {
    expect(await refusedByLinter(text)).toEqual([rule])
  })

  test('a line that is too long, outside generated files', () => {
    const text = `const short = 1\nconst long = '${'a'.repeat(130)}'\n`
    expect(longLines({ path: 'test/a.test.ts', text })).toEqual(['test/a.test.ts:2: 145 characters'])
    expect(longLines({ path: 'packages/sdk/src/generated/a.ts', text })).toEqual([])
  })

  test('an import cycle of types only', () => {
    const a = { path: `${server}/a/a.ts`, text: `import type { B } from './b.ts'` }
    const b = { path: `${server}/a/b.ts`, text: `import type { A } from './a.ts'` }
    expect(cycles([a, b])).toHaveLength(1)
  })

  test.each([
    ['a participle', 'interface Waiting {}', 1],
    ['an irregular one', 'export type Held = string', 1],
    ['a noun that holds one', 'export interface HeldLead {}', 0],
    ['a noun that ends like one', 'class Meeting {}', 0],
  ])('a type name that is %s', (_name, text, found) =>
    expect(moodsAsTypes({ path: `${server}/a/a.ts`, text })).toHaveLength(found),
  )

  test.each(['const delayMs = 5 * 60_000', 'setTimeout(stop, 3_600_000)', 'at + 86_400_000'])(
    'a duration as a number: %s',
    (text) => expect(unnamedSpans({ path: `${server}/a/a.ts`, text })).toHaveLength(1),
  )

  test.each(['export function keyOf() {}', 'export async function keyOf() {}', 'export const keyOf = 1'])(
    'an export that does not say what it does: %s',
    (text) => expect(vagueExports({ path: 'a.ts', text })).toEqual(['a.ts: keyOf']),
  )

  test.each(['export function anyOf() {}', 'function keyOf() {}', 'export const keyOffset = 1'])(
    'a name that needs no verb: %s',
    (text) => expect(vagueExports({ path: 'a.ts', text })).toEqual([]),
  )

  test('a member that is private by a keyword', () => {
    const text = 'class A {\n  readonly #a = 1\n  private b = 2\n}\n'
    expect(privateByKeyword({ path: `${server}/a/a.ts`, text })).toEqual([`${server}/a/a.ts:3: private`])
  })

  test('a time limit without a reason', () => {
    const limit = ['vi', 'setConfig({ testTimeout: 1 })'].join('.')
    expect(limitsWithoutReason({ path: 'a.test.ts', text: `// Each test starts a server.\n${limit}\n` })).toEqual([])
    expect(limitsWithoutReason({ path: 'a.test.ts', text: `\n${limit}\n` })).toEqual(['a.test.ts:2: no reason'])
  })

  test('a test called it, and a test that measures time', () => {
    const timed = ['const usage = process', 'cpuUsage()'].join('.')
    expect(measuresTheMachine({ path: 'a.test.ts', text: timed })).toBe(true)
    expect(measuresTheMachine({ path: 'a.ts', text: timed })).toBe(false)
    expect(callsItsTestsIt({ path: 'a.test.ts', text: `import { expect, it } from 'vitest'` })).toBe(true)
    expect(callsItsTestsIt({ path: 'a.test.ts', text: `import { expect, test } from 'vitest'` })).toBe(false)
  })

  test('an unused export, also behind an index', () => {
    const index = { path: `${server}/a/index.ts`, text: `export { used, type Unused } from './a.ts'` }
    const other = { path: `${server}/b/b.ts`, text: `import { used } from '../a/index.ts'` }
    const file = {
      path: `${server}/a/a.ts`,
      text: 'export const used = 1\nexport interface Unused {}\nexport type Lone = 1',
    }
    expect(unusedExports([index, other, file])).toEqual([
      `${index.path}: nobody imports Unused`,
      `${file.path}: nobody imports Lone`,
    ])
  })

  test.each([
    ['insert into webhooks (id) values ($1)'],
    ['update webhooks w set enabled = false'],
    ['with gone as (delete from webhooks returning id) select id from gone'],
  ])('a table written by another slice: %s', (statement) => {
    const [path, text] = [`${server}/campaigns/x.sql.ts`, `db.execute(\`${statement}\`)`]
    expect(foreignWrites({ path, text }, owners)).toEqual([{ table: 'webhooks', file: 'campaigns/x.sql.ts' }])
  })

  test('a table without a valid owner, unless a later migration sets one', () => {
    const text = "comment on table widgets is\n  'attic: What nobody wants.';\n"
    expect(tablesOfNobody(tableOwners([text]))).toEqual(['widgets: attic'])
    expect(tablesOfNobody(tableOwners([text, text.replace('attic', 'campaigns')]))).toEqual([])
  })

  test('a write outside the plan, and an unneeded exception', () => {
    const unneeded = Object.entries(foreignWriters).flatMap(([file, { tables }]) =>
      tables.map((table) => `${file}: ${table}`),
    )
    const writer = { path: `${server}/campaigns/x.sql.ts`, text: 'db.execute(`delete from webhooks`)' }
    const found = unplannedWrites([writer], owners)
    expect(found.toSorted()).toEqual(['campaigns/x.sql.ts: webhooks', ...unneeded].toSorted())
  })

  test('a migration comment that names a removed statement', () => {
    const named = namedStatements(['-- Read by those who ask (listWidgets, dropWidget).\nselect 1 -- (notAComment)\n'])
    expect(named).toEqual(['listWidgets', 'dropWidget'])
    const text = 'export function listWidgets(db: Executor) {}'
    expect(missingStatements(named, [{ path: `${server}/campaigns/x.sql.ts`, text }])).toEqual(['dropWidget'])
    expect(missingStatements(named, [{ path: `${server}/campaigns/x.ts`, text }])).toEqual(named)
  })

  test('a permission that is not used', () => {
    const text = `import { a } from '../suppressions/index.ts'`
    expect(knownSlices([{ path: `${server}/people/x.commands.ts`, text }])).toEqual({ people: ['suppressions'] })
    expect(knownSlices([{ path: `${server}/people/x.commands.ts`, text: '' }])).toEqual({ people: [] })
  })

  test.each([
    'update jobs set lease_until = $2 where id = $1',
    "update jobs set lease_until = $2::timestamptz + interval '1 second'",
    'select id from jobs where lease_until < $1',
    'select id from jobs j where $1 >= j.lease_until',
    'insert into planning (account_id, lease_until) values ($1, $2)',
  ])("a lease by a node's clock: %s", (statement) => {
    const [path, text] = [`${server}/a/x.sql.ts`, `db.execute(\`${statement}\`)`]
    expect(leasesByNodeClock({ path, text })).toHaveLength(1)
  })

  test('five parallel lists, in the SQL or in the values', () => {
    const inSql = (count: number) => `select * from unnest(${Array(count).fill('$3::text[]').join(', ')}) t`
    const inValues = (count: number) => `[\n${'  batch.rows.map((row) => row.id),\n'.repeat(count)}]`
    const isFound = (text: string) => hasParallelLists({ path: `${server}/people/x.sql.ts`, text })
    expect([inSql, inValues].map((written) => isFound(written(5)))).toEqual([true, true])
    expect([inSql, inValues].map((written) => isFound(written(4)))).toEqual([false, false])
  })

  test('SQL outside of *.sql.ts, and a statement with its own clock', () => {
    const text = 'db.query(`select a from b where at < now()`)'
    expect(statementOutsideSql({ path: `${server}/a/x.commands.ts`, text })).toBe(true)
    expect(readsDatabaseClock({ path: `${server}/a/x.sql.ts`, text })).toBe(true)
  })
})
