import { testRenderer } from '@overture/testing/renderer.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDueJobs } from '../../platform/jobs/run-due-jobs.shell.ts'
import { campaignJobs, campaignRoutes } from '../index.ts'

let server: TestServer
beforeAll(async () => {
  const checkAi = async () => ({ missingPresetIds: [], creditsMissing: false })
  server = await startTestServer({ routes: () => campaignRoutes({ renderer: testRenderer, checkAi }) })
})
afterAll(() => server.stop())

const key = () => server.keys.test
const headers = { 'content-type': 'text/csv' }

async function importFile(body: string | Buffer, query = '') {
  const { id } = (await server.call('POST', '/v2/campaigns', { key: key(), body: { name: 'Faulty' } })).body
  const path = `/v2/campaigns/${id}/leads/import${query}`
  const upload = await server.call('POST', path, { key: key(), body, headers })
  if (upload.status !== 202) return { status: upload.status, issue: upload.body.error.details.issues[0] }
  await runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())
  const job = (await server.call('GET', `/v2/imports/${upload.body.id}`, { key: key() })).body
  const errors = (await server.call('GET', `/v2/imports/${upload.body.id}/errors`, { key: key() })).text
  const leads = (await server.call('GET', `/v2/campaigns/${id}/leads`, { key: key() })).body.results
  return { status: upload.status, job, file: errors, errors: errors.trimEnd().split('\n').slice(1), leads }
}

const inspect = async (body: string | Buffer, query = '') =>
  (await server.call('POST', `/v2/imports/inspect${query}`, { key: key(), body, headers })).body

interface Issue {
  row: number
  code: string
  column?: string
}

const good = 'good@acme.test'
const cases: [string, string, Issue[], string[]][] = [
  [
    'a comma without quotes',
    `email,company,firstName\nx@acme.test,Smith, Ltd,Ann\n${good},Beta,Bob\n`,
    [{ row: 1, code: 'uneven_columns' }],
    [
      '1,uneven_columns: The row has 4 cells and the header 3. Put a value with a separator in quotes.,' +
        'x@acme.test,Smith, Ltd,Ann',
    ],
  ],
  [
    'a cell too few',
    `email;company;firstName\nx@acme.test;Ann\n${good};Beta;Bob;;\n`,
    [{ row: 1, code: 'uneven_columns' }],
    [
      '1,uneven_columns: The row has 2 cells and the header 3. Put a value with a separator in quotes.,' +
        'x@acme.test,Ann',
    ],
  ],
  [
    'an inch mark',
    `email,firstName,company\nx@acme.test,Ann,9" Rack Co\n${good},"Bo" ,Beta\n`,
    [{ row: 1, code: 'not_readable', column: 'company' }],
    [
      '1,"not_readable: company: A quote is inside a value. Put the value in quotes, and write each quote inside it twice.",' +
        '"x@acme.test,Ann,9"" Rack Co"',
    ],
  ],
  [
    'a nickname in quotes',
    `email,firstName\nx@acme.test,"Jo" Anne\n${good},Bo\n`,
    [{ row: 1, code: 'not_readable', column: 'firstName' }],
    [
      '1,"not_readable: firstName: Text follows a closing quote, or the quote that opens here is not closed. ' +
        'Write quotes inside a value twice.","x@acme.test,""Jo"" Anne"',
    ],
  ],
  [
    'names of Windows zones and offsets',
    `Mail,Zone\n1@acme.test,Romance Standard Time\n2@acme.test,GMT+1\n3@acme.test,Tokyo\n4@acme.test,soon\n${good},Asia/Tokyo\n`,
    [1, 2, 3, 4].map((row) => ({ row, code: 'invalid_field', column: 'Zone' })),
    [
      '1,invalid_field: Zone: Not an IANA time zone. Use Europe/Paris.,1@acme.test,Romance Standard Time',
      '2,invalid_field: Zone: Not an IANA time zone. Use Etc/GMT-1.,2@acme.test,GMT+1',
      '3,invalid_field: Zone: Not an IANA time zone. Use Asia/Tokyo.,3@acme.test,Tokyo',
      '4,invalid_field: Zone: Not an IANA time zone. Use a name such as Europe/Berlin.,4@acme.test,soon',
    ],
  ],
  [
    'several wrong values in one row',
    `Mail,Zone,mobile\nnone,soon,x\n2@acme.test,soon,x\n${good},Asia/Tokyo,\n`,
    [
      { row: 1, code: 'invalid_email', column: 'Mail' },
      { row: 1, code: 'invalid_field', column: 'Zone' },
      { row: 2, code: 'invalid_field', column: 'Zone' },
    ],
    [
      '1,invalid_email: Not an email address. Zone: Not an IANA time zone. Use a name such as Europe/Berlin.,none,soon,x',
      '2,invalid_field: Zone: Not an IANA time zone. Use a name such as Europe/Berlin.,2@acme.test,soon,x',
    ],
  ],
  [
    'an invisible character in an address',
    `email\nx\u200b@acme.test\n${good}\n`,
    [{ row: 1, code: 'invalid_email', column: 'email' }],
    [
      '1,invalid_email: Contains the invisible character U+200B. Type it again without that character.,x\u200b@acme.test',
    ],
  ],
  ['rows of blank cells', `name,email\nBo,${good}\n,\n , \n"",""\n,\n`, [], []],
  ['padded columns and quotes', ` "email" , "firstName" ,note\n ${good} , "Bo" , "a, ""b"""\n`, [], []],
]

describe('a file with', () => {
  test.each(cases)(
    '%s is imported without its faulty rows, which the inspection reports first',
    async (_, file, issues, errors) => {
      const looked = (await inspect(file)).issues as Issue[]
      expect(looked.map(({ row, code, column }) => ({ row, code, ...(column !== undefined && { column }) }))).toEqual(
        issues,
      )
      const found = await importFile(file)
      expect(found.job).toMatchObject({
        status: 'completed',
        added: 1,
        failed: errors.length,
        rowsTotal: 1 + errors.length,
        rowsRead: 1 + errors.length,
      })
      expect(found.errors).toEqual(errors)
      expect(found.leads.map(({ email }: { email: string }) => email)).toEqual([good])
    },
  )

  test('a file of refused rows that is refused again has its columns once', async () => {
    const first = await importFile('email,,plan\nnobody,a note,gold\n')
    expect(first.file).toBe('row,reason,email,,plan\n1,invalid_email,nobody,a note,gold\n')
    expect((await importFile(first.file!)).file).toBe(first.file)
    const { leads } = await importFile(first.file!.replace('nobody', good))
    expect(leads).toMatchObject([{ email: good, customVariables: { column2: 'a note', plan: 'gold' } }])
  })

  test('an unclosed quote is refused with the line where it opens', async () => {
    const file = `email,note\n${good},"two\nlines"\nx@acme.test,"open\n${'y@acme.test,z\n'.repeat(3_000)}`
    const message = 'Line 4, column 2: The quote that opens here is not closed.'
    expect((await importFile(file)).issue).toEqual({
      path: '',
      rule: 'csv',
      message: `Not readable as CSV. ${message}`,
    })
    expect((await inspect(file)).issues).toEqual([{ row: 2, code: 'not_readable', column: 'note', message }])
  })

  test('a misplaced quote in the header is refused with line and column', async () => {
    expect((await importFile(`email,na"me\n${good},x\n`)).issue.message).toContain(
      'Line 1, column 2: A quote is inside',
    )
    const { columns, issues } = await inspect(`email,na"me\n${good},x\n`)
    expect([columns, issues]).toMatchObject([[], [{ row: 0, code: 'not_readable' }]])
  })
})

describe('a file in', () => {
  test.each([
    ['windows-1251', Buffer.from('c8e2e0ed2cd1e0f8e02cd0eef1f1e8ff', 'hex'), 'Иван,Саша,Россия'],
    ['koi8-r', Buffer.from('e9d7c1ce2cf3c1dbc12cf2cfd3d3c9d1', 'hex'), 'Иван,Саша,Россия'],
  ])('%s is detected, and read correctly with and without its name', async (encoding, bytes, names) => {
    const file = Buffer.concat([Buffer.from(`email,firstName,lastName,company\n${good},`), bytes, Buffer.from('\n')])
    expect(await inspect(file)).toMatchObject({
      encoding,
      likelyEncoding: encoding,
      issues: [{ row: 0, code: 'other_encoding', message: expect.stringContaining(encoding) }],
    })
    const named = await inspect(file, `?encoding=${encoding}`)
    expect(named).toMatchObject({ encoding, issues: [] })
    expect(named.likelyEncoding).toBeUndefined()
    const [firstName, lastName, company] = names.split(',')
    for (const query of [`?encoding=${encoding}`, ''])
      expect((await importFile(file, query)).leads).toMatchObject([{ firstName, lastName, company }])
  })

  test.each([
    ['windows-1250', Buffer.from('4d69b36f737a2c5a6f9f612c416e6e61', 'hex'), 'Miłosz,Zoźa,Anna', 'Mi³osz'],
    ['windows-1250', Buffer.from('50f8656d79736c2c546f6d9ee12c416e6e61', 'hex'), 'Přemysl,Tomžá,Anna', 'Pøemysl'],
    ['macintosh', Buffer.from('4a6f738e2c48918f6e652c4265617472697a', 'hex'), 'José,Hëène,Beatriz', 'JosŽ'],
  ])('%s is only proposed, and used if the request names it', async (encoding, bytes, names, unnamed) => {
    const file = Buffer.concat([Buffer.from(`email,firstName,lastName,company\n${good},`), bytes, Buffer.from('\n')])
    expect(await inspect(file)).toMatchObject({
      encoding: 'windows-1252',
      likelyEncoding: encoding,
      issues: [{ row: 0, code: 'other_encoding', message: expect.stringContaining(`encoding=${encoding}`) }],
    })
    expect((await importFile(file, '')).leads).toMatchObject([{ firstName: unnamed }])
    const [firstName, lastName, company] = names.split(',')
    expect((await importFile(file, `?encoding=${encoding}`)).leads).toMatchObject([{ firstName, lastName, company }])
  })

  test.each([
    ['Windows-1252', Buffer.from('Jos\xe9,M\xfcller,Stra\xdfe \x96 \x93d\x92Or\x94', 'latin1')],
    ['Windows-1252 with Danish names', Buffer.from('S\xf8ren,J\xe6ger,\xc5rhus', 'latin1')],
    ['Windows-1252 with Italian names', Buffer.from('Nicol\xf2,Cos\xec,Citt\xe0', 'latin1')],
    ['UTF-8', Buffer.from('Иван,Müller,Łódź')],
    ['UTF-8 with a broken byte', Buffer.concat([Buffer.from('Иван,Müller,Łódź'), Buffer.from([0xd0])])],
  ])('%s gets no proposal of another encoding', async (_, bytes) => {
    const file = Buffer.concat([Buffer.from(`email,firstName,lastName,company\n${good},`), bytes, Buffer.from('\n')])
    expect((await inspect(file)).issues).toEqual([])
  })

  test('Windows-1252 with a Croatian name keeps its Danish names', async () => {
    const file = Buffer.from(`email,firstName,lastName,company\n${good},Bo\x9ae,S\xf8ren,20 m\xb3\n`, 'latin1')
    expect((await importFile(file, '')).leads).toMatchObject([
      { firstName: 'Boše', lastName: 'Søren', company: '20 m³' },
    ])
  })

  test('an unknown encoding is refused', async () => {
    expect((await importFile('email\n', '?encoding=utf-7')).issue.path).toBe('encoding')
  })
})
