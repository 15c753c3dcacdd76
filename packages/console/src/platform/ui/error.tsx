import { ApiError, ConnectionError, TimeoutError } from '@overture/sdk'
import { text } from '../text/platform.messages.ts'
import { Button, Row } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Note } from './shown.tsx'

/** The API's own words, without what stands around them for logs. */
export function errorText(error: unknown): string {
  if (ApiError.is(error)) {
    const { issues, blockers } = (error.details ?? {}) as {
      issues?: { path: string; message: string }[]
      blockers?: { message: string }[]
    }
    const parts = [
      ...(issues ?? []).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
      ...(blockers ?? []).map(({ message }) => message),
    ]
    return parts.length > 0 ? parts.join(' ') : plainMessage(error)
  }
  if (ConnectionError.is(error) || TimeoutError.is(error)) return text.noAnswer
  return error instanceof Error ? error.message : text.failed
}

function plainMessage({ message, code, requestId }: ApiError): string {
  return message.replace(`${code}: `, '').replace(` (request ${requestId ?? 'unknown'})`, '')
}

/** Of a field, where the API names it in its refusal. */
export function issueOf(error: unknown, path: string): string | undefined {
  if (!ApiError.is(error, 'VALIDATION_ERROR')) return undefined
  return error.details.issues.find((issue) => issue.path === path)?.message
}

export function ErrorNote({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  if (error === null || error === undefined) return null
  const requestId = ApiError.is(error) ? error.requestId : null
  return (
    <Note tone="bad" role="alert">
      <p>{errorText(error)}</p>
      {(requestId !== null || again !== undefined) && (
        <Row>
          {requestId !== null && <CopyButton look="quiet" small label={text.copyRequestId} value={requestId} />}
          {again !== undefined && (
            <Button look="quiet" small onClick={again}>
              {text.tryAgain}
            </Button>
          )}
        </Row>
      )}
    </Note>
  )
}
