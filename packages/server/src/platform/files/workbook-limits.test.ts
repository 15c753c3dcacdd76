import { unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { makeWorkbook } from '@overture/testing/workbook.ts'
import { SharedStrings } from './workbook-parts.ts'
import { readWorkbookRows } from './workbook-rows.shell.ts'
import { SheetRows } from './workbook-sheet.ts'

async function rowsOf(file: Uint8Array) {
  const rows = []
  for await (const found of readWorkbookRows(file, null)) rows.push(...found)
  return rows
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const line = (...cells: string[]) => `<row>${cells.join('')}</row>`
const encode = (content: string) => new TextEncoder().encode(content)
const withPart = (name: string, content: string) =>
  makeWorkbook({ sheets: { One: line(text('email')) }, files: { [name]: encode(content) } })
const withSheet = (content: string) => withPart('xl/worksheets/sheet1.xml', content)

describe('a workbook is refused', () => {
  const good = makeWorkbook({ sheets: { One: line(text('email')) } })
  const withoutSheet = ({ 'xl/worksheets/sheet1.xml': _sheet, ...files }: Record<string, Uint8Array>) => zipSync(files)

  test.each([
    ['cut off', good.subarray(0, good.length / 2), 'damaged'],
    ['with broken XML', withSheet('<worksheet><row>'), 'damaged'],
    ['with a document type', withSheet('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'), 'document type'],
    ['that is another archive', makeWorkbook({ sheets: {}, files: {} }), 'no workbook'],
    ['with only hidden sheets', makeWorkbook({ sheets: { One: '' }, hidden: ['One'] }), 'hidden'],
    ['without the part of the sheet', withoutSheet(unzipSync(good)), 'lacks the data of the sheet “One”'],
    ['with two parts of one name', withPart('XL/worksheets/SHEET1.xml', '<worksheet/>'), 'damaged'],
  ])('%s', async (_name, file, message) => {
    await expect(rowsOf(file)).rejects.toThrow(message)
  })
})

describe('a workbook that would need too much memory or work is refused', () => {
  const mebibyte = 1024 * 1024
  const long = 'x'.repeat(3 * mebibyte)
  const manyFiles = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`media/${at}`, new Uint8Array(0)]))

  test.each([
    ['elements inside each other', () => withSheet(`<worksheet>${'<a>'.repeat(1000)}`), 'deeper than 64'],
    ['a long text', () => withSheet(`<worksheet>${long}</worksheet>`), 'more than 2 MiB of text'],
    [
      'a long text of entities',
      () => withSheet(`<worksheet>${'&lt;'.repeat(mebibyte)}</worksheet>`),
      'more than 2 MiB of text',
    ],
    ['a long entity', () => withSheet(`<worksheet>&${long};</worksheet>`), 'more than 2 MiB of text'],
    ['a long comment', () => withSheet(`<worksheet><!--${long}--></worksheet>`), 'more than 2 MiB of text'],
    ['a long instruction', () => withSheet(`<worksheet><?a ${long}?></worksheet>`), 'more than 2 MiB of text'],
    ['a long CDATA section', () => withSheet(`<worksheet><![CDATA[${long}]]></worksheet>`), 'more than 2 MiB of text'],
    ['a long document type', () => withSheet(`<!DOCTYPE a [${long}]><worksheet/>`), 'more than 2 MiB of text'],
    ['a long attribute', () => withSheet(`<worksheet a="${long}"/>`), 'more than 2 MiB of text'],
    ['a long name', () => withSheet(`<${long}/>`), 'more than 2 MiB of text'],
    [
      'many comments',
      () => withSheet(`<worksheet>${'<!-- -->'.repeat(300_000)}</worksheet>`),
      'more than 2 MiB of text',
    ],
    [
      'a tag with long attributes',
      () => withSheet(`<worksheet a="${'x'.repeat(200_000)}" b="${'x'.repeat(200_000)}"/>`),
      'a tag or comments with more than 256 KiB',
    ],
    [
      'many attributes',
      () => withSheet(`<worksheet ${Array.from({ length: 1000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'more than 100 attributes',
    ],
    [
      'a large list of sheets',
      () => withPart('xl/workbook.xml', `<a>${`<b>${' '.repeat(60_000)}</b>`.repeat(150)}</a>`),
      'too large',
    ],
    ['many files', () => makeWorkbook({ sheets: { One: '' }, files: manyFiles }), 'too large'],
    [
      'a short file that becomes a large one',
      () => {
        const row = line('<c t="s"><v>0</v></c>').repeat(300)
        return makeWorkbook({ sheets: { One: row }, shared: `<si><t>${'x'.repeat(900_000)}</t></si>` })
      },
      'too large',
    ],
  ])('%s', async (_name, make, message) => {
    const file = make()
    expect(file.length).toBeLessThan(2 * mebibyte)
    await expect(rowsOf(file)).rejects.toThrow(message)
  })
})

describe('the parts of a workbook are bounded', () => {
  test('to five million shared texts', () => {
    const shared = new SharedStrings()
    for (let count = 0; count < 5_000_000; count++) shared.close('si')
    expect(() => shared.close('si')).toThrow('too large')
  })

  test('to fifty million characters of shared texts', () => {
    const shared = new SharedStrings()
    shared.open('t')
    for (let count = 0; count < 50; count++) shared.text('x'.repeat(1_000_000))
    expect(() => shared.text('x')).toThrow('too large')
  })

  test('to 128 MiB of a sheet without a value', () => {
    const rows = new SheetRows({
      sheet: 'One',
      shared: [],
      durations: new Set<number>(),
      dates: new Set(),
      countsFrom1904: false,
    })
    rows.advance(128 * 1024 * 1024)
    rows.open('row', {})
    rows.open('c', {})
    rows.open('v', {})
    rows.text('1')
    rows.close('v')
    rows.close('c')
    rows.close('row')
    rows.advance(128 * 1024 * 1024)
    expect(() => rows.advance(1)).toThrow('more than 128 MiB without a value')
  })
})

describe('a row with too much', () => {
  test('is a fault, and other rows are read', async () => {
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

  test('is a fault if one shared text makes it long', async () => {
    const shared = `<si><t>a</t></si><si><t>${'x'.repeat(600_000)}</t></si>`
    const cell = (index: number) => `<c t="s"><v>${index}</v></c>`
    const rows = [line(cell(0), cell(0)), line(cell(1), cell(1)), line(cell(1), cell(0))]
    const read = await rowsOf(makeWorkbook({ sheets: { One: rows.join('') }, shared }))
    expect(read.map(({ fault }) => fault?.message ?? null)).toEqual([
      null,
      'The row is longer than 1000000 characters.',
      null,
    ])
    expect(read[1]!.cells.join('').length).toBeLessThanOrEqual(1_000_000)
  })

  test('comes in a batch that is not much longer than a row may be', async () => {
    const rows = line('<c t="s"><v>0</v></c>').repeat(10)
    const file = makeWorkbook({ sheets: { One: rows }, shared: `<si><t>${'x'.repeat(900_000)}</t></si>` })
    const batches = []
    for await (const found of readWorkbookRows(file, null)) batches.push(found.length)
    expect(batches).toEqual([2, 2, 2, 2, 2])
  })
})
