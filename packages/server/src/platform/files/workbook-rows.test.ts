import { describe, expect, test } from 'vitest'
import { makeWorkbook } from '@overture/testing/workbook.ts'
import { readWorkbookRows } from './workbook-rows.shell.ts'

async function rowsOf(file: Uint8Array, sheet: string | null = null) {
  const rows = []
  for await (const found of readWorkbookRows(file, sheet)) rows.push(...found)
  return rows
}

const cellsOf = async (file: Uint8Array, sheet: string | null = null) =>
  (await rowsOf(file, sheet)).map(({ cells }) => cells)

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const line = (...cells: string[]) => `<row>${cells.join('')}</row>`

describe('the rows of a workbook', () => {
  test('have the shared texts, with runs joined and without readings', async () => {
    const shared =
      '<si><t>email</t></si><si><r><t>Ad</t></r><r><t xml:space="preserve">a </t></r><rPh><t>ada</t></rPh></si>'
    const rows = '<row r="2"><c r="A2" t="s"><v>0</v></c></row><row r="5"><c r="A5" t="s"><v>1</v></c></row>'
    expect(await rowsOf(makeWorkbook({ sheets: { People: rows }, shared }))).toEqual([
      { line: 2, cells: ['email'], fault: null },
      { line: 5, cells: ['Ada '], fault: null },
    ])
  })

  test('have as many cells as the first row, with gaps and merged cells empty', async () => {
    const rows =
      line(text('a'), text('b'), text('c')) +
      '<row r="2"><c r="C2"><v>3</v></c></row>' +
      '<row r="3"><c r="A3" s="0"/><c r="B3"/></row>' +
      '<row r="4"><c r="A4"><v>4</v></c><c r="D4"><v></v></c></row>'
    expect(await cellsOf(makeWorkbook({ sheets: { One: rows } }))).toEqual([
      ['a', 'b', 'c'],
      ['', '', '3'],
      ['4', '', ''],
    ])
  })

  test('have numbers as a spreadsheet shows them', async () => {
    const numbers = ['34600111222', '0.30000000000000004', '1.234567890123E12', '-5', '1E3']
    const rows = line(...numbers.map((number) => `<c><v>${number}</v></c>`))
    expect(await cellsOf(makeWorkbook({ sheets: { One: rows } }))).toEqual([
      ['34600111222', '0.3', '1234567890123', '-5', '1000'],
    ])
  })

  test.each([
    ['a day', 14, '46355', '2026-11-29'],
    ['a day and time', 22, '46355.604166666664', '2026-11-29T14:30'],
    ['a time', 20, '0.25', '06:00'],
    ['a day of a custom format', 'yyyy&quot;年&quot;m', '46355', '2026-11-29'],
    ['a duration', '[h]:mm', '0.5', '12:00'],
    ['1 January 1900', 14, '1', '1900-01-01'],
    ['1 March 1900', 14, '61', '1900-03-01'],
    ['a number with a colour', '[Red]0.00', '46355', '46355'],
    ['a number with a word', '0 &quot;days&quot;', '3', '3'],
    ['general', 'General', '7', '7'],
    ['a day out of range', 14, '9999999', '9999999'],
  ])('have %s in its format', async (_name, style, value, expected) => {
    const rows = line(`<c s="1"><v>${value}</v></c>`)
    expect(await cellsOf(makeWorkbook({ sheets: { One: rows }, styles: [0, style] }))).toEqual([[expected]])
  })

  test('have days counted from 1904 if the workbook says so', async () => {
    const facts = { sheets: { One: line('<c s="0"><v>44893</v></c>') }, styles: [14], countsFrom1904: true }
    expect(await cellsOf(makeWorkbook(facts))).toEqual([['2026-11-29']])
  })

  test('have the stored values of formulas, and a fault for errors and formulas without a value', async () => {
    const rows = [
      line('<c><f>1+1</f><v>2</v></c>', '<c t="str"><f>A1</f><v>Ada</v></c>', '<c t="b"><v>1</v></c>'),
      line('<c><f>1+1</f></c>'),
      line(text('x'), '<c t="e"><v>#N/A</v></c>'),
    ].join('')
    expect(await rowsOf(makeWorkbook({ sheets: { One: rows } }))).toMatchObject([
      { cells: ['2', 'Ada', 'true'], fault: null },
      { line: 2, fault: { column: 0, line: 2, message: expect.stringContaining('The formula has no value.') } },
      { line: 3, fault: { column: 1, line: 3, message: 'The cell has the error #N/A.' } },
    ])
  })

  test('are those of the first visible sheet, or of the named one', async () => {
    const file = makeWorkbook({
      sheets: { Notes: line(text('hidden')), People: line(text('people')), More: line(text('more')) },
      hidden: ['Notes'],
    })
    expect(await cellsOf(file)).toEqual([['people']])
    expect(await cellsOf(file, 'More')).toEqual([['more']])
    expect(await cellsOf(file, 'Notes')).toEqual([['hidden']])
    await expect(rowsOf(file, 'Leads')).rejects.toThrow('The sheets are “Notes”, “People”, “More”.')
  })

  test('are read from names with prefixes', async () => {
    const sheet =
      '<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    const files = { 'xl/worksheets/sheet1.xml': new TextEncoder().encode(sheet) }
    expect(await cellsOf(makeWorkbook({ sheets: { One: '' }, files }))).toEqual([['7']])
  })
})

describe('a workbook is refused', () => {
  const good = makeWorkbook({ sheets: { One: line(text('email')) } })
  const encode = (content: string) => new TextEncoder().encode(content)
  const withSheet = (content: string) =>
    makeWorkbook({ sheets: { One: '' }, files: { 'xl/worksheets/sheet1.xml': encode(content) } })

  test.each([
    ['cut off', good.subarray(0, good.length / 2), 'damaged'],
    ['with broken XML', withSheet('<worksheet><row>'), 'damaged'],
    ['with a document type', withSheet('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'), 'document type'],
    ['that is another archive', makeWorkbook({ sheets: {}, files: {} }), 'no workbook'],
    ['with only hidden sheets', makeWorkbook({ sheets: { One: '' }, hidden: ['One'] }), 'hidden'],
  ])('%s', async (_name, file, message) => {
    await expect(rowsOf(file)).rejects.toThrow(message)
  })

  test('with more text than a process should hold', async () => {
    const file = makeWorkbook({ sheets: { One: '' }, shared: `<si><t>${'x'.repeat(50_000_001)}</t></si>` })
    expect(file.length).toBeLessThan(1_000_000)
    await expect(rowsOf(file)).rejects.toThrow('The workbook is too large. Send it as CSV.')
  })

  test('a row that is too long or too wide is a fault, and other rows are read', async () => {
    const rows = [
      line(text('a')),
      line(`<c r="A2" t="inlineStr"><is><t>${'x'.repeat(1_000_001)}</t></is></c>`),
      line('<c r="XFD3"><v>1</v></c>'),
      line(text('b')),
    ]
    const read = await rowsOf(makeWorkbook({ sheets: { One: rows.join('') } }))
    expect(read.map(({ fault }) => fault?.message ?? null)).toEqual([
      null,
      'The row is longer than 1000000 characters.',
      'A file has at most 200 columns.',
      null,
    ])
  })
})
