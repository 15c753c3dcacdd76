import { useState } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button, type Look } from './button.tsx'
import { copyText } from './copy.ts'

/** Copies a value and reports whether that worked. */
export function CopyButton({
  label,
  name,
  value,
  ...look
}: {
  label: string
  /** The whole name of the button, if there are several with this label. */
  name?: string
  value: string
} & Look) {
  const [status, setTold] = useState('')
  return (
    <>
      <Button
        {...look}
        aria-label={name}
        onClick={() => void copyText(value).then((copied) => setTold(copied ? text.copied : text.notCopied))}
      >
        {label}
      </Button>
      <span role="status" aria-live="polite">
        {status}
      </span>
    </>
  )
}
