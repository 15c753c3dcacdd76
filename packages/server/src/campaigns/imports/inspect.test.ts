import type { TestServer } from '@overture/testing/server.ts'
import { startTestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDueJobs } from '../../platform/jobs/run-due-jobs.shell.ts'
import { campaignJobs, campaignRoutes } from '../index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      campaignRoutes({
        renderer: testRenderer,
        checkAi: async () => ({ missingPresetIds: [], creditsMissing: false }),
      }),
  })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, ...(body !== undefined && { body }) })
const send = (path: string, file: string | Buffer) =>
  server.call('POST', path, { key: server.keys.test, body: file, headers: { 'content-type': 'text/csv' } })
const inspect = async (file: string | Buffer) => (await send('/v2/imports/inspect', file)).body
const runJobs = () => runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())

describe('inspecting a file', () => {
  test('reports encoding, delimiter, columns and the rows that would be refused', async () => {
    const file =
      'E-mail;Vorname;first name;Plan;;website\nada@a.test;;Ada;pro;x;a.test\nADA@a.test;;Ada;pro;;\n' +
      'none;;Bob;free;;b.test\n;;;;;\nc@a.test;C\n'
    expect(await inspect(file)).toEqual({
      encoding: 'utf-8',
      delimiter: ';',
      sheet: null,
      sheets: [],
      columns: [
        { title: 'E-mail', target: 'email', samples: ['ada@a.test', 'ADA@a.test', 'none'], filled: 4 },
        { title: 'Vorname', target: 'customVariables.Vorname', samples: ['C'], filled: 1 },
        { title: 'first name', target: 'firstName', samples: ['Ada', 'Bob'], filled: 3 },
        { title: 'Plan', target: 'customVariables.Plan', samples: ['pro', 'free'], filled: 3 },
        { title: '', target: 'customVariables.column5', samples: ['x'], filled: 1 },
        { title: 'website', target: 'companyDomain', samples: ['a.test', 'b.test'], filled: 2 },
      ],
      issues: [
        { row: 2, code: 'duplicate' },
        { row: 3, code: 'invalid_email', column: 'E-mail', message: 'Not an email address.' },
        { row: 4, code: 'uneven_columns', message: expect.stringMatching('2 cells and the header 6') },
      ],
    })
  })

  test.each<[string, Buffer, string, string]>([
    ['UTF-16', Buffer.from('\ufeffemail\tZoë\na@b.test\t1\n', 'utf16le'), 'utf-16', '\t'],
    ['Windows-1252', Buffer.from('email|Stra\xdfe\na@b.test|1\n', 'latin1'), 'windows-1252', '|'],
    ['UTF-8 with its mark', Buffer.from('\ufeffemail,Straße\na@b.test,1\n'), 'utf-8', ','],
    ['an Excel file with sep=', Buffer.from('sep=;\nemail;b\na@b.test;1\n'), 'utf-8', ';'],
  ])('a file is read as %s', async (_, file, encoding, delimiter) => {
    expect(await inspect(file)).toMatchObject({ encoding, delimiter, columns: [{ target: 'email' }, {}], issues: [] })
  })

  test.each<[string, string, object[]]>([
    ['empty', '', [{ row: 0, code: 'empty_file' }]],
    ['without an address', 'name\nAda\n', [{ row: 0, code: 'no_email_column' }]],
    ['of too many columns', `email${',x'.repeat(250)}\n`, [{ row: 0, code: 'too_many_columns' }]],
    ['with a null character', 'email,a\na@b.test,\0\n', [{ row: 1, code: 'null_character' }]],
    [
      'that is no CSV',
      'email\na@b.test\n"x"y\n',
      [
        {
          row: 2,
          code: 'not_readable',
          column: 'email',
          message: expect.stringMatching(/^Text follows a closing quote/),
        },
      ],
    ],
  ])('a file %s is reported', async (_, file, issues) => {
    const { status, body } = await send('/v2/imports/inspect', file)
    expect([status, body.issues]).toEqual([200, issues])
  })

  test('reads at most the first mebibyte: a cut row is ignored, and a larger body is refused', async () => {
    const row = 'person@example.test,"a quoted\nvalue"\n'
    const long = Buffer.from(`email,note\n${row.repeat(60_000)}`)
    for (const cut of [0, 5, 21, 25]) {
      const { body } = await send('/v2/imports/inspect', long.subarray(0, 1024 * 1024 - cut))
      expect(body.issues.every(({ code }: { code: string }) => code === 'duplicate')).toBe(true)
    }
    expect((await send('/v2/imports/inspect', long)).status).toBe(413)
  })
})

describe('columns in the request', () => {
  const file = 'a;b;c;email\nx@a.test;Ada;pro;y@a.test\nz@a.test;Bob;;no\n'
  const importing = (campaignId: string, columns: unknown) =>
    send(`/v2/campaigns/${campaignId}/leads/import?columns=${encodeURIComponent(JSON.stringify(columns))}`, file)

  test('decide the fields, whatever the titles are', async () => {
    const { id } = (await call('POST', '/v2/campaigns', { name: 'Columns' })).body
    const made = await importing(id, ['email', 'firstName', 'customVariables.plan', null])
    expect(made).toMatchObject({ status: 202, body: { rowsTotal: 2, rowsRead: 0, skippedReasons: {} } })
    await runJobs()
    const leads = (await call('GET', `/v2/campaigns/${id}/leads`)).body.results
    expect(leads).toMatchObject([
      { email: 'x@a.test', firstName: 'Ada', customVariables: { plan: 'pro' } },
      { email: 'z@a.test', firstName: 'Bob', customVariables: {} },
    ])
    await importing(id, ['email', null, null, null])
    await runJobs()
    const { results } = (await call('GET', `/v2/imports?campaignId=${id}`)).body
    expect(results).toMatchObject([
      { added: 0, skipped: 2, skippedReasons: { duplicate: 2 }, rowsTotal: 2, status: 'completed' },
      { id: made.body.id, added: 2, skipped: 0, skippedReasons: {} },
    ])
    const other = (await call('POST', '/v2/campaigns', { name: 'Other' })).body.id
    expect((await call('GET', `/v2/imports?campaignId=${other}`)).body.results).toEqual([])
    expect((await call('GET', '/v2/imports', undefined, server.other.keys.test)).body.results).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no address', ['firstName', null, null, null]],
    ['a field twice', ['email', 'firstName', 'firstName', null]],
    ['no field of a lead', ['email', 'status', null, null]],
    ['a variable with no name', ['email', 'customVariables.', null, null]],
    ['a variable that no text can name', ['email', 'customVariables.a b', null, null]],
    ['a prototype', ['email', 'customVariables.__proto__', 'constructor', null]],
    ['other than the file has', ['email', null, null]],
    ['no list', 'email'],
    ['a list of lists', [['email'], null, null, null]],
  ])('%s is refused', async (_, columns) => {
    const { id } = (await call('POST', '/v2/campaigns', { name: 'Refused' })).body
    const { status, body } = await importing(id, columns)
    expect([status, body.error?.details.issues[0].path]).toEqual([400, 'columns'])
  })
})
