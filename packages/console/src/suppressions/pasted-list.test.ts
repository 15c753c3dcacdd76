import { expect, test } from 'vitest'
import { pastedListCsv } from './pasted-list.ts'

test.each<[string, string, string[]]>([
  ['one address per line', 'ada@example.com\r\nbob@example.com\n', ['"ada@example.com",', '"bob@example.com",']],
  [
    'addresses with commas and semicolons',
    'ada@example.com, bob@example.com;',
    ['"ada@example.com",', '"bob@example.com",'],
  ],
  ['addresses with names, from a mail program', 'Ada Lovelace <ada@example.com>', ['"ada@example.com",']],
  ['copied links', 'mailto:ada@example.com', ['"ada@example.com",']],
  ['domains', 'example.com\n@example.org', [',"example.com"', ',"@example.org"']],
  ['what is neither, for the report', 'call Ada\n=1+1"', ['"call Ada",', '"=1+1""",']],
  ['nothing', ' \n , ;', []],
])('a pasted list has %s', (_name, pasted, rows) => {
  expect(pastedListCsv(pasted)).toBe(['email,domain', ...rows, ''].join('\n'))
})
