import { unzipSync, zipSync, type Zippable } from 'fflate'
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
    ['a duration of more than a day', '[h]:mm:ss', '40.25', '966:00'],
    ['a duration with seconds', 46, '1.50005787037037', '36:00:05'],
    ['a negative duration', '[mm]:ss', '-0.0625', '-01:30'],
    ['a time with a colour and a word', '[Red]hh:mm &quot;[h]&quot;', '0.25', '06:00'],
    ['the last minute of a day', 22, '46355.9997', '2026-11-29T23:59:34'],
    ['a day with a rounding error', 22, '46355.9999999', '2026-11-30'],
    ['the end of time', 22, '2958465.9999999', '2958465.9999999'],
    ['a time with seconds', 21, '0.9998', '23:59:43'],
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

  test('have the texts of formulas and cells with escaped characters decoded', async () => {
    const escaped = 'a_x000d__x000A_b _x0041_ _x005F_x0041_ _x0007__x0000__xD83D__xDE00__xD83D_ _x41_'
    const rows = line(text(escaped), `<c t="str"><v>${escaped}</v></c>`, '<c t="s"><v>0</v></c>')
    const decoded = 'a\r\nb A _x0041_ \u{1f600}\ufffd _x41_'
    const file = makeWorkbook({ sheets: { One: rows }, shared: `<si><t>${escaped}</t></si>` })
    expect(await cellsOf(file)).toEqual([[decoded, decoded, decoded]])
  })

  test('have no readings of inline texts', async () => {
    const name = '<is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is>'
    expect(await cellsOf(makeWorkbook({ sheets: { One: line(`<c t="inlineStr">${name}</c>`) } }))).toEqual([['東京']])
  })

  test('have an empty cell for an empty value of any type', async () => {
    const rows = line(text('a'), text('b'), text('c')) + line(text('x'), '<c t="s"><v></v></c>', '<c t="b"><v/></c>')
    expect(await cellsOf(makeWorkbook({ sheets: { One: rows }, shared: '<si><t>first</t></si>' }))).toEqual([
      ['a', 'b', 'c'],
      ['x', '', ''],
    ])
  })

  test.each(['7', '-1', 'x', '0.5'])('have a fault for the shared text %s, which the workbook lacks', async (index) => {
    const rows = line(text('a')) + line(`<c t="s"><v>${index}</v></c>`) + line('<c t="s"><v>0</v></c>')
    expect(await rowsOf(makeWorkbook({ sheets: { One: rows }, shared: '<si><t>first</t></si>' }))).toMatchObject([
      { fault: null },
      { fault: { column: 0, line: 2, message: expect.stringContaining(`refers to the text ${index}, which`) } },
      { cells: ['first'], fault: null },
    ])
  })

  test.each([
    ['2026-11-29T00:00:00', '2026-11-29'],
    ['2026-11-29', '2026-11-29'],
    ['2026-11-29T14:30:00.000Z', '2026-11-29T14:30'],
    ['1900-01-01T00:00:00', '1900-01-01'],
    ['14:30:00', '14:30'],
    ['2026-W48-7', '2026-W48-7'],
  ])('have the ISO date %s as other dates', async (value, expected) => {
    expect(await cellsOf(makeWorkbook({ sheets: { One: line(`<c t="d"><v>${value}</v></c>`) } }))).toEqual([[expected]])
  })

  test('have a fault for a value without a title', async () => {
    const rows = line(text('a')) + line(text('x'), text(' ')) + line(text('x'), '', '<c r="C3"><v>3</v></c>')
    expect(await rowsOf(makeWorkbook({ sheets: { People: rows } }))).toMatchObject([
      { fault: null },
      { fault: null },
      {
        fault: {
          sheet: 'People',
          column: 2,
          line: 3,
          message: 'Column C has a value and no title. Add a title in the first row, or empty the cell.',
        },
      },
    ])
  })

  test.each([
    './worksheets/sheet1.xml',
    '../xl/worksheets/sheet1.xml',
    '/xl/worksheets/sheet1.xml',
    'worksheets\\sheet1.xml',
    'Worksheets/Sheet1.XML',
    'worksheets/sheet%31.xml',
  ])('are found at the target %s', async (target) => {
    const relations = `<Relationships><Relationship Id="rId1" Target="${target}"/></Relationships>`
    const files = { 'xl/_rels/workbook.xml.rels': new TextEncoder().encode(relations) }
    expect(await cellsOf(makeWorkbook({ sheets: { One: line(text('a')) }, files }))).toEqual([['a']])
  })

  test('are found in an archive with names in other letter case', async () => {
    const files = unzipSync(makeWorkbook({ sheets: { One: line(text('a')) } }))
    const named = Object.entries(files).map(([name, body]) => [name.toUpperCase().replaceAll('/', '\\'), body])
    expect(await cellsOf(zipSync(Object.fromEntries(named) as Zippable))).toEqual([['a']])
  })

  test('end with the data of the sheet', async () => {
    const sheet = `<worksheet><sheetData>${line(text('a'))}</sheetData>${'<merge/>'.repeat(20_000)}<broken</worksheet>`
    const files = { 'xl/worksheets/sheet1.xml': new TextEncoder().encode(sheet) }
    expect(await cellsOf(makeWorkbook({ sheets: { One: '' }, files }))).toEqual([['a']])
  })

  test('are read from names with prefixes', async () => {
    const sheet =
      '<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    const files = { 'xl/worksheets/sheet1.xml': new TextEncoder().encode(sheet) }
    expect(await cellsOf(makeWorkbook({ sheets: { One: '' }, files }))).toEqual([['7']])
  })
})
