import { useLayoutEffect, useRef, useState } from 'react'

export interface EarlyLetters {
  /** What was typed before there was a place for it. */
  letters: string
  /** Enter came, too: the first that these letters find is meant. */
  entered: boolean
}

const lettersMax = 100
const oneCharacter = /^.$/u
const lastCharacter = /.$/u
const none: EarlyLetters = { letters: '', entered: false }

/**
 * Who asks for the palette types on at once: until its input has the focus, what is typed is kept for it, and is no key of
 * the page below. `take` gives it to the input and ends the watch.
 */
export function useEarlyLetters(opening: boolean): { take: () => EarlyLetters } {
  const kept = useRef<EarlyLetters>(none)
  const [taken, setTaken] = useState(false)
  if (!opening && taken) setTaken(false)
  const watching = opening && !taken
  useLayoutEffect(() => {
    if (!watching) return undefined
    kept.current = none
    const pressed = (event: KeyboardEvent): void => {
      const after = withKey(kept.current, event)
      if (after === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      kept.current = after
    }
    addEventListener('keydown', pressed, { capture: true })
    return () => removeEventListener('keydown', pressed, { capture: true })
  }, [watching])
  return {
    take() {
      setTaken(true)
      return kept.current
    },
  }
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** Null: it is no key of a text. */
export function withKey(early: EarlyLetters, { key, ctrlKey, metaKey, altKey, isComposing }: Key): EarlyLetters | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null
  if (key === 'Enter') return { ...early, entered: true }
  if (early.entered) return early
  if (key === 'Backspace') return { letters: early.letters.replace(lastCharacter, ''), entered: false }
  if (!oneCharacter.test(key)) return null
  return { letters: (early.letters + key).slice(0, lettersMax), entered: false }
}
