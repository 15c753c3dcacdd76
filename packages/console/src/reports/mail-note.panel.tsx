import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Link, Note } from '../platform/ui/index.ts'
import { useSignInState } from '../users/index.ts'
import { text } from './reports.messages.ts'

/** Explains why no report of this environment is mailed, if that is so. */
export function MailNote() {
  const paths = usePaths()
  const isTest = useEnvironment() === 'test'
  const state = useSignInState().data
  // Links to reset a password are mailed by system mail. Without passwords, the state doesn't say whether the server has it.
  const hasNoMail = state !== undefined && state.methods.includes('password') && !state.passwordReset
  if (!isTest && !hasNoMail) return null
  return (
    <Note>
      <p>
        {isTest ? text.testMail : text.noMail}{' '}
        <Link to={`${paths.developers('events')}?type=report.ready`}>{text.showEvents}</Link>
      </p>
    </Note>
  )
}
