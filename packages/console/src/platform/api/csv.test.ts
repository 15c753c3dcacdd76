import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('whatever the texts are, a reader of CSV finds them again, and none is a formula', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/^[\t\r]/.test(value))
  fc.assert(
    fc.property(fc.array(fc.record({ a: text, b: text }), { minLength: 1 }), (rows) => {
      const read: Record<string, string>[] = parse(csvOf(rows), { columns: true, record_delimiter: '\r\n' })
      expect(read.map((row) => row['a']!.replace(/^'(?=[=+\-@])/, ''))).toEqual(rows.map((row) => row.a))
      for (const row of read) expect(Object.values(row).some((cell) => /^[=+\-@]/.test(cell))).toBe(false)
    }),
  )
})

test('nested names have dots, lists of words have spaces, nothing is nothing', () => {
  expect(csvOf([{ id: 1, rates: { reply: 0.5 }, tags: ['a', 'b'], at: null }])).toBe(
    'id,rates.reply,tags,at\r\n1,0.5,a b,\r\n',
  )
})
