import type { Confirmation } from '@overture/sdk'
import { findIssue } from '../ui/error.tsx'
import { TextField } from './fields.tsx'
import { text } from './proof.messages.ts'

const code = /^(?:\d{6}|[a-z0-9]{4}(?:[- ]?[a-z0-9]{4}){3})$/i

/** The input is a code if it looks like an authenticator code or a recovery code. Otherwise it is the password. */
export function toConfirmation(typed: string): Confirmation {
  return code.test(typed.trim()) ? { code: typed.trim() } : { password: typed }
}

/** Returns what the server says about a missing or wrong proof, or undefined if the error is about something else. */
export function findProofIssue(error: unknown): string | undefined {
  return findIssue(error, 'confirm') ?? findIssue(error, 'confirm.password') ?? findIssue(error, 'confirm.code')
}

/** Asks a person who is signed in to prove again who they are. */
export function ProofField({
  value,
  change,
  error,
}: {
  value: string
  change: (value: string) => void
  error: unknown
}) {
  return (
    <TextField
      label={text.label}
      hint={text.hint}
      type="password"
      autoComplete="current-password"
      value={value}
      change={change}
      error={findProofIssue(error)}
    />
  )
}
