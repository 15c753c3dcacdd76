import { expect, test } from 'vitest'
import { readCopies } from './copies.ts'
import { buildQuote } from './quote.ts'
import { replyLimits } from '@overture/contract/delivery/reply-limits.ts'
import { withFiles } from './reply-files.ts'

test('Cc takes addresses as mail programs write them, once each, and names the wrong one', () => {
  expect(readCopies(' ')).toEqual({ cc: [] })
  expect(readCopies('grace@example.com, Alan Turing <alan@example.com>; grace@example.com')).toEqual({
    cc: ['grace@example.com', 'alan@example.com'],
  })
  expect(readCopies('grace@example.com, alan')).toEqual({ wrong: 'alan' })
  const many = Array.from({ length: 11 }, (_none, at) => `p${at}@example.com`).join(',')
  expect(readCopies(many)).toEqual({ tooMany: 10 })
})

test('files are refused together if the reply would become too large', () => {
  const one = { name: 'a.pdf', size: replyLimits.filesBytes }
  expect(withFiles([], [one])).toEqual({ files: [one] })
  expect(withFiles([one], [{ name: 'b.txt', size: 1 }])).toEqual({ refused: 'too_large' })
  const many = Array.from({ length: replyLimits.files + 1 }, () => ({ name: 'c.txt', size: 1 }))
  expect(withFiles([], many)).toEqual({ refused: 'too_many' })
})

test('the quote names the writer and the time, and has the text with what it quotes', () => {
  const message = {
    from: { email: 'grace@example.com', name: 'Grace Hopper' },
    text: 'Yes.',
    quotedText: '> Hello',
    sentAt: null,
    receivedAt: '2026-11-03T09:30:00.000Z',
  }
  const quote = buildQuote(message, 'UTC')
  expect(quote?.text).toBe('Yes.\n\n> Hello')
  expect(quote?.attribution).toMatch(/^On .*2026.* Grace Hopper <grace@example.com> wrote:$/)
  expect(buildQuote({ ...message, text: null, quotedText: null }, 'UTC')).toBeNull()
})
