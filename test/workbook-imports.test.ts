import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignJobs } from '@overture/server/campaigns/index.ts'
import { errorLines } from '@overture/server/platform/imports/import-errors.shell.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { makeWorkbook } from '@overture/testing/workbook.ts'

let server: TestServer
let campaignId: string
beforeAll(async () => {
  server = await startWholeServer()
  const made = await server.call('POST', '/v2/campaigns', { key: server.keys.test, body: { name: 'Spring' } })
  campaignId = made.body.id
})
afterAll(() => server.stop())

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function upload(path: string, body: Uint8Array | string, type = workbookType) {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.keys.test}`, 'content-type': type },
    body: typeof body === 'string' ? body : Uint8Array.from(body),
  })
  return { status: answer.status, body: (await answer.json()) as AnswerBody }
}

const get = async (path: string) => (await server.call('GET', path, { key: server.keys.test })).body

async function ended(id: string) {
  await runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())
  return get(`/v2/imports/${id}`)
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const people = [
  row(text('E-mail'), text('First name'), text('Contract ends'), text('Seats')),
  row(text('ada@example.com'), text('Ada'), '<c s="1"><v>46355</v></c>', '<c><v>12</v></c>'),
  row(text('bo@example.com'), text('Bo'), '<c t="e"><v>#N/A</v></c>', '<c><v>3</v></c>'),
  row(text('cy@example.com'), text('Cy')),
].join('')
const file = makeWorkbook({
  sheets: { Notes: row(text('Read me')), People: people },
  hidden: ['Notes'],
  styles: [0, 14],
})

test('leads are imported from a workbook, with dates and numbers as they are shown', async () => {
  const begun = await upload(`/v2/campaigns/${campaignId}/leads/import`, file)
  expect(begun.status, JSON.stringify(begun.body)).toBe(202)
  const done = await ended(begun.body.id)
  expect(done).toMatchObject({ status: 'completed', rowsTotal: 3, added: 2, failed: 1 })
  const leads = (await get(`/v2/campaigns/${campaignId}/leads`)).results as { email: string; customVariables: object }[]
  const found = new Map(leads.map(({ email, customVariables }) => [email, customVariables]))
  expect([...found.keys()].toSorted()).toEqual(['ada@example.com', 'cy@example.com'])
  expect(found.get('ada@example.com')).toEqual({ ContractEnds: '2026-11-29', Seats: '12' })
  const errors = await server.call('GET', `/v2/imports/${done.id}/errors`, { key: server.keys.test })
  expect(errors.text).toContain('The cell has the error #N/A.')
})

test('a workbook is inspected before the import, sheet by sheet', async () => {
  const { status, body } = await upload('/v2/imports/inspect', file)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.columns.map(({ target }: { target: string | null }) => target)).toEqual([
    'email',
    'firstName',
    'customVariables.ContractEnds',
    'customVariables.Seats',
  ])
  expect(body).toMatchObject({ sheets: ['Notes', 'People'], sheet: 'People' })
  const notes = await upload('/v2/imports/inspect?sheet=Notes', file)
  expect(notes.body).toMatchObject({ sheets: ['Notes', 'People'], sheet: 'Notes' })
  const csv = await upload('/v2/imports/inspect', 'email\nada@example.com\n', 'text/csv')
  expect(csv.body).toMatchObject({ sheets: [], sheet: null })
  expect(notes.body.columns.map(({ title }: { title: string }) => title)).toEqual(['Read me'])
})

test('suppressions and members of a list are imported from a workbook, too', async () => {
  const list = await server.call('POST', '/v2/lists', { key: server.keys.test, body: { name: 'Visitors' } })
  const addresses = makeWorkbook({ sheets: { One: row(text('email')) + row(text('dee@example.com')) } })
  const members = await upload(`/v2/lists/${list.body.id}/import`, addresses)
  expect(members.status, JSON.stringify(members.body)).toBe(202)
  const entries = await upload('/v2/suppressions/import?list=Partners', addresses)
  expect(entries.status, JSON.stringify(entries.body)).toBe(202)
})

test('a file with tabs is read by its own media type', async () => {
  const lines = 'email\tfirst name\nevi@example.com\tEvi\n'
  const begun = await upload(`/v2/campaigns/${campaignId}/leads/import`, lines, 'text/tab-separated-values')
  expect(begun.status).toBe(202)
  expect(await ended(begun.body.id)).toMatchObject({ added: 1, failed: 0 })
})

test.each(['application/octet-stream', 'application/zip', 'application/vnd.ms-excel', 'text/csv'])(
  'a workbook is read with the media type %s',
  async (type) => {
    expect((await upload('/v2/imports/inspect', file, `${type}; charset=utf-8`)).body).toMatchObject({
      sheet: 'People',
    })
  },
)

test.each(['application/json', 'image/png', 'text/plain', 'multipart/form-data; boundary=x'])(
  'a file with the media type %s is refused with the names of the accepted ones',
  async (type) => {
    const { status, body } = await upload('/v2/imports/inspect', file, type)
    expect(status).toBe(415)
    expect(body.error.message).toContain('Send the body as text/csv, text/tab-separated-values, ')
    expect(body.error.message).toContain('application/octet-stream')
  },
)

test('other operations name the media types that they accept', async () => {
  const { status, body } = await upload('/v2/campaigns', '{}', 'text/plain')
  expect([status, body.error.message]).toEqual([415, 'Send the body as application/json.'])
})

test('rows with an error or without a title are refused in the words of a spreadsheet', async () => {
  const broken = makeWorkbook({ sheets: { People: row(text('email'), '<c t="e"><v>#REF!</v></c>') } })
  const { status, body } = await upload(`/v2/campaigns/${campaignId}/leads/import`, broken)
  expect(status).toBe(400)
  expect(body.error.message).toBe('Sheet “People”, row 1, column B: The cell has the error #REF!.')
  const wide = makeWorkbook({ sheets: { People: row(text('email')) + row(text('flo@example.com'), text('Flo')) } })
  const begun = await upload(`/v2/campaigns/${campaignId}/leads/import`, wide)
  expect(await ended(begun.body.id)).toMatchObject({ failed: 1 })
  const errors = await server.call('GET', `/v2/imports/${begun.body.id}/errors`, { key: server.keys.test })
  expect(errors.text).toContain('Column B has a value and no title.')
  expect(errors.text).not.toContain('quotes')
})

test('the file of refused rows is written in short pieces', async () => {
  const lines = Array.from({ length: 6 }, (_, at) => `no address ${at},${'x'.repeat(900_000)}\n`)
  const begun = await upload(`/v2/campaigns/${campaignId}/leads/import`, `email,note\n${lines.join('')}`, 'text/csv')
  expect(await ended(begun.body.id)).toMatchObject({ failed: 6 })
  const refused = { id: begun.body.id, header: ['email', 'note'] }
  const pieces = []
  for await (const piece of errorLines(server.app.db, server.testTenant, refused)) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_000_000)
  expect(pieces.join('').match(/^\d,/gm)).toEqual(['1,', '2,', '3,', '4,', '5,', '6,'])
  const first = []
  for await (const piece of errorLines(server.app.db, server.testTenant, refused, 3)) first.push(piece)
  expect(first.join('').match(/^\d,/gm)).toEqual(['1,', '2,', '3,'])
})

describe('a file is refused with the reason', () => {
  test.each([
    ['an old workbook', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'Save it as .xlsx or CSV'],
    ['a damaged workbook', file.subarray(0, 300), 'damaged'],
    ['a workbook of something else', makeWorkbook({ sheets: {} }), 'no workbook'],
    ['an empty sheet', makeWorkbook({ sheets: { One: '' } }), 'The file is empty.'],
  ])('%s', async (_name, bytes, reason) => {
    const { status, body } = await upload(`/v2/campaigns/${campaignId}/leads/import`, bytes)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(body.error)).toContain(reason)
  })

  test('a sheet that does not exist', async () => {
    const { status, body } = await upload('/v2/imports/inspect?sheet=Leads', file)
    expect(status).toBe(400)
    expect(body.error.message).toBe('There is no sheet of this name. The sheets are “Notes”, “People”.')
  })
})
