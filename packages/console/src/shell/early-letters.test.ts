import { expect, test } from 'vitest'
import { withKey, type EarlyLetters } from './early-letters.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
const typed = (...keys: string[]): EarlyLetters | null =>
  keys.reduce<EarlyLetters | null>((early, key) => early && withKey(early, { ...plain, key }), {
    letters: '',
    entered: false,
  })

test('letters that come before the input are kept in their order, with what was taken back', () => {
  expect(typed('P', 'e', 'x', 'Backspace', 'o')).toEqual({ letters: 'Peo', entered: false })
  expect(typed('Backspace')).toEqual({ letters: '', entered: false })
  expect(typed('😀', 'Backspace')).toEqual({ letters: '', entered: false })
})

test('what comes after Enter is not part of what was meant', () => {
  expect(typed('P', 'Enter', 'x')).toEqual({ letters: 'P', entered: true })
})

test('keys of the browser and of the dialog are left to them', () => {
  expect(typed('Escape')).toBe(null)
  expect(typed('Tab')).toBe(null)
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const)
    expect(withKey({ letters: '', entered: false }, { ...plain, key: 'a', [held]: true })).toBe(null)
})

test('however long one types, what is kept has an end', () => {
  expect(typed(...Array.from({ length: 1_000 }, () => 'a'))!.letters).toHaveLength(100)
})
