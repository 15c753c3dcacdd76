import { ApiError, ConnectionError, TimeoutError } from '@overture/sdk'
import { text } from '../text/platform.messages.ts'
import { Button, Row } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Details } from './details.tsx'
import { Note } from './shown.tsx'

/** The API's own message, without the prefix for logs and without the issues that fields show themselves. */
export function errorText(error: unknown, shownErrors: readonly string[] = []): string {
  if (ApiError.is(error)) {
    const { issues, blockers } = (error.details ?? {}) as {
      issues?: { path: string; message: string }[]
      blockers?: { message: string }[]
    }
    const parts = [
      ...unsaid(issues ?? [], shownErrors).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
      ...(blockers ?? []).map(({ message }) => message),
    ]
    if (parts.length > 0) return parts.join(' ')
    return issues !== undefined && issues.length > 0 ? text.markedFields : plainMessage(error)
  }
  if (ConnectionError.is(error) || TimeoutError.is(error)) return text.noAnswer
  return error instanceof Error ? error.message : text.failed
}

/** Removes one issue for each error that a field shows, since two issues may have the same text. */
function unsaid<Issue extends { message: string }>(issues: readonly Issue[], shownErrors: readonly string[]): Issue[] {
  const remaining = [...shownErrors]
  return issues.filter(({ message }) => {
    const at = remaining.indexOf(message)
    if (at >= 0) remaining.splice(at, 1)
    return at < 0
  })
}

function plainMessage({ message, code, requestId }: ApiError): string {
  return message.replace(`${code}: `, '').replace(` (request ${requestId ?? 'unknown'})`, '')
}

/** The issue of a field, if the API names the field in its refusal. */
export function findIssue(error: unknown, path: string): string | undefined {
  if (!ApiError.is(error, 'VALIDATION_ERROR')) return undefined
  return error.details.issues.find((issue) => issue.path === path)?.message
}

export function ErrorNote({
  error,
  again,
  shownErrors,
}: {
  error: unknown
  again?: (() => void) | undefined
  /** The errors that fields next to it already show. */
  shownErrors?: readonly string[]
}) {
  if (error === null || error === undefined) return null
  const requestId = ApiError.is(error) ? error.requestId : null
  return (
    <Note tone="bad" role="alert">
      <p>{errorText(error, shownErrors)}</p>
      {again !== undefined && (
        <Row>
          <Button look="quiet" small onClick={again}>
            {text.tryAgain}
          </Button>
        </Row>
      )}
      {requestId !== null && (
        <Details label={text.details}>
          <CopyButton look="quiet" small label={text.copyRequestId} value={requestId} />
        </Details>
      )}
    </Note>
  )
}
