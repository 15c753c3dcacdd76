import { useState } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button, type Look } from './button.tsx'

/** Copies, and says that it did. */
export function CopyButton({ label, value, ...look }: { label: string; value: string } & Look) {
  const [copied, setCopied] = useState(false)
  return (
    <>
      <Button {...look} onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}>
        {label}
      </Button>
      <span role="status" aria-live="polite">
        {copied ? text.copied : ''}
      </span>
    </>
  )
}
