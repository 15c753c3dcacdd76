import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAddresses, readParameters } from './mime-headers.ts'

const marks = [',', ';', ':', '<', '>', '"', '\\', '@', '(', ')', ' ', 'a', 'B', '.']
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
const name = fc.array(fc.constantFrom(...marks), { minLength: 1, maxLength: 12 }).map((all) => `x${all.join('')}y`)
const address = fc.tuple(fc.constantFrom('ada', 'b.c', 'd+e'), fc.nat(99)).map(([local, n]) => `${local}@h${n}.test`)
/** Comments with every allowed character, including nested comments. */
const comment = fc.letrec<{ comment: string }>((tie) => ({
  comment: fc
    .array(fc.oneof({ maxDepth: 4 }, fc.constantFrom('was ', 'old@was.test ', ', ', '<'), tie('comment')), {
      maxLength: 4,
    })
    .map((parts) => `(${parts.join('')})`),
})).comment

describe('addresses', () => {
  test('are read as they were written, whatever their names contain', () => {
    const mailbox = fc.record({ name, address })
    fc.assert(
      fc.property(fc.array(mailbox, { maxLength: 5 }), fc.constantFrom(', ', ',', '; '), (all, separator) => {
        const header = all.map((one) => `${quoted(one.name)} <${one.address}>`).join(separator)
        expect(readAddresses(header)).toEqual(all)
      }),
    )
  })

  test.each(['用户@例え.test', 'josé@société.test', 'à@x.test'])('in UTF-8 are decoded: %s', (written) => {
    const bytes = (text: string) => Buffer.from(text).toString('latin1')
    for (const header of [`Ada <${written}>`, written, `${written} (Ada)`])
      expect(readAddresses(bytes(header)).map((one) => one.address)).toEqual([written])
  })

  test('are recognised between nested comments', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(comment, address, comment), { minLength: 1, maxLength: 1 }), ([all]) => {
        const [before, own, after] = all!
        fc.pre(!`${before}${after}`.includes('<') && !`${before}${after}`.includes(','))
        expect(readAddresses(`${before} ${own} ${after}`).map((one) => one.address)).toEqual([own])
      }),
    )
  })

  test.each([
    ['an older name of a comment within a comment', '(was (of old) x@was.test) ada@x.test', ['ada@x.test']],
    ['a group', 'Team: ada@x.test, "B, C" <b@x.test>;', ['ada@x.test', 'b@x.test']],
    ['a quote that is not closed', '"Ada, Grace <ada@x.test>, b@x.test', ['ada@x.test']],
    ['a comma within brackets', '<@relay.test,@other.test:ada@x.test>', ['@relay.test,@other.test:ada@x.test']],
  ])('%s', (_name, header, expected) => expect(readAddresses(header).map((one) => one.address)).toEqual(expected))

  test('thousands of nested comments are read in one pass', () => {
    expect(readAddresses(`${'('.repeat(50_000)}${')'.repeat(50_000)} ada@x.test`)).toHaveLength(1)
  })
})

test('parameters are read as they were written, whatever their values contain', () => {
  const parameters = fc.dictionary(fc.constantFrom('name', 'boundary', 'charset', 'format'), name)
  fc.assert(
    fc.property(parameters, (given) => {
      const header = [
        'Text/Plain (a comment (within one))',
        ...Object.entries(given).map(([key, value]) => `${key}=${quoted(value)}`),
      ]
      const read = readParameters(header.join('; '))
      expect(read.value).toBe('text/plain')
      expect(Object.fromEntries(read.parameters)).toEqual({ ...given })
    }),
  )
})
