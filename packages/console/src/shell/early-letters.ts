import { useLayoutEffect, useRef, useState } from 'react'

export interface EarlyLetters {
  /** The text that was typed before the input existed. */
  letters: string
  /** Whether Enter was pressed too: the first match of the text is to be opened. */
  entered: boolean
}

const lettersMax = 100
const oneCharacter = /^.$/u
const lastCharacter = /.$/u
const none: EarlyLetters = { letters: '', entered: false }

/**
 * Users start typing right after they open the palette. Until its input has the focus, key presses are kept for it and don't act on the
 * page below. `take` passes them to the input and stops listening.
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

/** Null if the key is not part of a text. */
export function withKey(early: EarlyLetters, { key, ctrlKey, metaKey, altKey, isComposing }: Key): EarlyLetters | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null
  if (key === 'Enter') return { ...early, entered: true }
  if (early.entered) return early
  if (key === 'Backspace') return { letters: early.letters.replace(lastCharacter, ''), entered: false }
  if (!oneCharacter.test(key)) return null
  return { letters: (early.letters + key).slice(0, lettersMax), entered: false }
}
