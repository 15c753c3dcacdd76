import { describe, expect, test } from 'vitest'
import { unusedExports } from './house/exports.ts'
import { consoleBreaches } from './house/console.ts'
import { dividedCommands, waitingCommands } from './house/commands.ts'
import { breaches, returningImports, cycles, knownSlices } from './house/imports.ts'
import { callsItsTestsIt, measuresTheMachine, moodsAsTypes, unnamedSpans } from './house/names.ts'
import { refusedByLinter } from './house/linter.ts'
import { filesPerRoomMax, knows, linesPerFileMax, purePackages, server } from './house/rooms.ts'
import { crowdedRooms, longFiles, longLines } from './house/sizes.ts'
import { isTest, readModules, roleOf, roomOf, type Module } from './house/source.ts'
import { clockReaders, leasesByNodeClock, readsDatabaseClock, statementOutsideSql, statusLists } from './house/sql.ts'
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

/** A lower bound near the real number, so that the rules aren't checked on an empty list. */
const modulesMin = 450

const house = readModules()
const production = house.filter((module) => !isTest(module))
const owners = tableOwners(migrationTexts())

const isServerOrPure = ({ path }: Module): boolean =>
  roomOf(path) !== null || Object.keys(purePackages).some((name) => path.startsWith(`packages/${name}/src/`))

describe('the house', () => {
  test('was really read', () => expect(production.length).toBeGreaterThan(modulesMin))

  test('imports point down, pure files are pure', () => expect(production.flatMap(breaches)).toEqual([]))

  test('no import leads out of a sub-room and back into it', () => expect(returningImports(production)).toEqual([]))

  test('a command is one transaction and waits for nothing else', () =>
    expect([...waitingCommands(production), ...production.flatMap(dividedCommands)]).toEqual([]))

  test('the console keeps its order', () => expect(production.flatMap(consoleBreaches)).toEqual([]))

  test('who knows whom is as the plan says, no more and no less', () => expect(knownSlices(production)).toEqual(knows))

  test('there are no import cycles, those of types included', () => expect(cycles(production)).toEqual([]))

  test('what is exported is used elsewhere', () => expect(unusedExports(house)).toEqual([]))

  test('a minute, an hour and a day have a name', () =>
    expect(production.filter(isServerOrPure).flatMap(unnamedSpans)).toEqual([]))

  test('no test measures time or memory', () =>
    expect(house.filter(measuresTheMachine).map(({ path }) => path)).toEqual([]))
  test('a test is called test', () => expect(house.filter(callsItsTestsIt).map(({ path }) => path)).toEqual([]))

  test('types are nouns', () => {
    const rooms =
      /^packages\/(?:server|cli|contract|ground|planner|mail-reading|people-index|sdk|console)\/(?!src\/generated\/)/
    expect(production.filter(({ path }) => rooms.test(path)).flatMap(moodsAsTypes)).toEqual([])
  })

  test('a crowded slice has sub-rooms, a crowded folder elsewhere as well', () =>
    expect(crowdedRooms(production)).toEqual([]))

  test('a file is one idea long', () => expect(longFiles(production)).toEqual([]))

  test('a line is read without scrolling, in tests, too', () => expect(house.flatMap(longLines)).toEqual([]))
})

describe('SQL', () => {
  test('takes lists of lead statuses from one place', () => expect(production.flatMap(statusLists)).toEqual([]))

  test('stands in *.sql.ts alone', () => {
    // The driver's folders query the server about itself: channels, databases, roles.
    const drivers = [`${server}/platform/db/`, `${server}/platform/distributed/`]
    const isDriver = (path: string) => drivers.some((folder) => path.startsWith(folder))
    const others = production.filter(({ path }) => roleOf(path) !== 'sql' && !isDriver(path))
    expect(others.filter(statementOutsideSql).map(({ path }) => path)).toEqual([])
  })

  test("reads the database's clock for leases and housekeeping alone", () => {
    const readers = production
      .filter(({ path }) => roomOf(path) !== null && roleOf(path) === 'sql')
      .filter(readsDatabaseClock)
    expect(readers.map(({ path }) => path.slice(server.length + 1)).sort()).toEqual(clockReaders)
  })

  test("ends no lease by a node's clock", () => {
    const leasing = production.filter(({ path, text }) => roleOf(path) === 'sql' && text.includes('lease_until'))
    expect(leasing.length).toBeGreaterThan(10)
    expect(leasing.flatMap(leasesByNodeClock)).toEqual([])
  })

  // `statements.test.ts` checks the rules on planted violations.
  test('keeps the rules of test/house/statements/rules.ts, or says why not', async () =>
    expect(unplannedBreaches((await statementsOfFiles()).statements)).toEqual([]))
})

describe('tables', () => {
  test('have an owner, which is a slice or what lies below the slices', () => {
    expect(owners.size).toBeGreaterThan(50)
    expect(tablesOfNobody(owners)).toEqual([])
  })

  test('are written by their owner alone, and by those that say why', () =>
    expect(unplannedWrites(production, owners)).toEqual([]))

  test('have comments that name statements which there are', () => {
    const named = namedStatements(migrationTexts())
    expect(named.length).toBeGreaterThan(20)
    expect(missingStatements(named, production)).toEqual([])
  })
})

describe('a planted violation is seen', () => {
  test.each([
    ['the platform importing a slice', 'platform/db/x.shell.ts', `import { a } from '../../campaigns/index.ts'`],
    ['a slice importing the composition', 'campaigns/x.shell.ts', `import { a } from '../composition/routes.ts'`],
    ['a slice past an index', 'delivery/x.shell.ts', `import { a } from '../campaigns/campaigns.sql.ts'`],
    ['a slice that knows too much', 'campaigns/x.commands.ts', `import { a } from '../delivery/index.ts'`],
    [
      'a sub-room importing a later one',
      'inbox/receive/x.ts',
      `import { a } from '../conversations/conversation-texts.ts'`,
    ],
    ['a room of the platform importing a later one', 'platform/db/x.shell.ts', `import { a } from '../http/paging.ts'`],
    ['a sub-room importing a door', 'inbox/receive/x.shell.ts', `import { a } from '../index.ts'`],
    ['a sub-room that nobody planned', 'inbox/attic/x.ts', `export const a = 1`],
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

  test('a sub-room whose import leads back to it', () => {
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

  test('a list of lead statuses that is written out', () =>
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

  test('a room that is crowded, in the server and elsewhere', () => {
    const files = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `${folder}/f${index}.ts`, text: '' }))
    const [slice, folder] = [`${server}/campaigns`, 'packages/cli/src']
    expect(crowdedRooms([...files(slice, filesPerRoomMax), ...files(folder, filesPerRoomMax)])).toEqual([])
    expect(crowdedRooms([...files(slice, filesPerRoomMax + 1), ...files(folder, filesPerRoomMax + 1)])).toEqual([
      `campaigns: ${filesPerRoomMax + 1} files`,
      `${folder}: ${filesPerRoomMax + 1} files`,
    ])
  })

  test('a file that goes on', () => {
    const text = 'a\n'.repeat(linesPerFileMax)
    expect(longFiles([{ path: 'a.ts', text }])).toEqual([])
    expect(longFiles([{ path: 'a.ts', text: `${text}a\n` }])).toEqual(['a.ts'])
  })

  const steps = (count: number) => Array.from({ length: count }, (_, index) => `  a(${index})\n`).join('')
  test.each([
    [
      'a function that goes on',
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

  test('a line that runs on, wherever it is written by hand', () => {
    const text = `const short = 1\nconst long = '${'a'.repeat(130)}'\n`
    expect(longLines({ path: 'test/a.test.ts', text })).toEqual(['test/a.test.ts:2: 145 characters'])
    expect(longLines({ path: 'packages/sdk/src/generated/a.ts', text })).toEqual([])
  })

  test('a cycle, of types alone', () => {
    const a = { path: `${server}/a/a.ts`, text: `import type { B } from './b.ts'` }
    const b = { path: `${server}/a/b.ts`, text: `import type { A } from './a.ts'` }
    expect(cycles([a, b])).toHaveLength(1)
  })

  test.each([
    ['a participle', 'interface Waiting {}', 1],
    ['an irregular one', 'export type Held = string', 1],
    ['a noun that holds one', 'export interface HeldLead {}', 0],
    ['a noun that ends like one', 'class Meeting {}', 0],
  ])('a type that is %s', (_name, text, found) =>
    expect(moodsAsTypes({ path: `${server}/a/a.ts`, text })).toHaveLength(found),
  )

  test.each(['const delayMs = 5 * 60_000', 'setTimeout(stop, 3_600_000)', 'at + 86_400_000'])(
    'a span by its number: %s',
    (text) => expect(unnamedSpans({ path: `${server}/a/a.ts`, text })).toHaveLength(1),
  )

  test('a test by another name', () => {
    const timed = ['const usage = process', 'cpuUsage()'].join('.')
    expect(measuresTheMachine({ path: 'a.test.ts', text: timed })).toBe(true)
    expect(measuresTheMachine({ path: 'a.ts', text: timed })).toBe(false)
    expect(callsItsTestsIt({ path: 'a.test.ts', text: `import { expect, it } from 'vitest'` })).toBe(true)
    expect(callsItsTestsIt({ path: 'a.test.ts', text: `import { expect, test } from 'vitest'` })).toBe(false)
  })

  test('an export that nobody imports, behind a door too', () => {
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

  test('a table whose owner is no room, and one that is owned in a later migration', () => {
    const text = "comment on table widgets is\n  'attic: What nobody wants.';\n"
    expect(tablesOfNobody(tableOwners([text]))).toEqual(['widgets: attic'])
    expect(tablesOfNobody(tableOwners([text, text.replace('attic', 'campaigns')]))).toEqual([])
  })

  test('a write that nobody planned, and a plan that nobody needs', () => {
    const unneeded = Object.entries(foreignWriters).flatMap(([file, { tables }]) =>
      tables.map((table) => `${file}: ${table}`),
    )
    const writer = { path: `${server}/campaigns/x.sql.ts`, text: 'db.execute(`delete from webhooks`)' }
    const found = unplannedWrites([writer], owners)
    expect(found.toSorted()).toEqual(['campaigns/x.sql.ts: webhooks', ...unneeded].toSorted())
  })

  test('a comment of a migration that names a statement which is gone', () => {
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
  ])('a lease by the clock of a node: %s', (statement) => {
    const [path, text] = [`${server}/a/x.sql.ts`, `db.execute(\`${statement}\`)`]
    expect(leasesByNodeClock({ path, text })).toHaveLength(1)
  })

  test('SQL outside of its files, and a statement with a clock of its own', () => {
    const text = 'db.query(`select a from b where at < now()`)'
    expect(statementOutsideSql({ path: `${server}/a/x.commands.ts`, text })).toBe(true)
    expect(readsDatabaseClock({ path: `${server}/a/x.sql.ts`, text })).toBe(true)
  })
})
