import { expect, test } from 'vitest'
import { withKey, type EarlyLetters } from './early-letters.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
const typed = (...keys: string[]): EarlyLetters | null =>
  keys.reduce<EarlyLetters | null>((early, key) => early && withKey(early, { ...plain, key }), {
    letters: '',
    entered: false,
  })

test('keys before the input exists are kept in order, including backspace', () => {
  expect(typed('P', 'e', 'x', 'Backspace', 'o')).toEqual({ letters: 'Peo', entered: false })
  expect(typed('Backspace')).toEqual({ letters: '', entered: false })
  expect(typed('😀', 'Backspace')).toEqual({ letters: '', entered: false })
})

test('keys after Enter are ignored', () => {
  expect(typed('P', 'Enter', 'x')).toEqual({ letters: 'P', entered: true })
})

test('keys for the browser and the dialog are not handled', () => {
  expect(typed('Escape')).toBe(null)
  expect(typed('Tab')).toBe(null)
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const)
    expect(withKey({ letters: '', entered: false }, { ...plain, key: 'a', [held]: true })).toBe(null)
})

test('the kept text has a maximum length', () => {
  expect(typed(...Array.from({ length: 1_000 }, () => 'a'))!.letters).toHaveLength(100)
})
