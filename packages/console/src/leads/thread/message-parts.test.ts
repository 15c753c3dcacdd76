import { describe, expect, test } from 'vitest'
import { messageParts } from './message-parts.ts'

const inbound = { direction: 'inbound', text: 'Yes.', signature: null, quotedText: null } as const

describe('messageParts', () => {
  test('shows the signature of the other person, and folds only the quoted message', () => {
    const signature = '--\nGrace Hopper\n+1 555 0100'
    const quotedText = `${signature}\nOn Monday Ada wrote:\n> Hello`
    expect(messageParts({ ...inbound, signature, quotedText })).toEqual({
      plain: 'Yes.',
      signature: 'Grace Hopper\n+1 555 0100',
      quoted: 'On Monday Ada wrote:\n> Hello',
    })
    expect(messageParts({ ...inbound, signature, quotedText: signature }).quoted).toBeNull()
    expect(messageParts({ ...inbound, quotedText: '> Hello' }).quoted).toBe('> Hello')
  })

  test('folds the message that our own reply quotes', () => {
    const text = 'Gladly.\n\nAda\n\nOn 3 Nov 2026, 09:00 UTC, Grace <grace@example.com> wrote:\n> Yes.\n>\n> Grace'
    expect(messageParts({ direction: 'outbound', text, signature: null, quotedText: null })).toEqual({
      plain: 'Gladly.\n\nAda',
      signature: null,
      quoted: 'On 3 Nov 2026, 09:00 UTC, Grace <grace@example.com> wrote:\n> Yes.\n>\n> Grace',
    })
    expect(messageParts({ direction: 'outbound', text: 'On it.', signature: null, quotedText: null }).plain).toBe(
      'On it.',
    )
  })
})
