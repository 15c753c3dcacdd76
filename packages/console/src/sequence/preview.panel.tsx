import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { SelectField, TextField } from '../platform/form/index.ts'
import { MailFrame, PlainText } from '../platform/frame/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { numberText } from '../platform/time/format.ts'
import { Badge, Button, ErrorNote, Grow, Lines, Link, Panel } from '../platform/ui/index.ts'
import { useAccount } from '../settings/index.ts'
import { text as branchText } from './branches/branches.messages.ts'
import type { TextCheck } from './check.queries.ts'
import { hiddenHints, hideHint } from './texts/hidden-hints.ts'
import type { PreviewLead } from './preview-lead.queries.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

export interface PreviewSideProps {
  check: UseQueryResult<TextCheck>
  preview: PreviewLead
  inThread: boolean
  /** Whether the selected step sends nothing. */
  silent: boolean
}

/** The message of a real lead as it would be sent, and hints to improve it. */
export function PreviewSide({ check, preview, inThread, silent }: PreviewSideProps) {
  const forbidden = usePermissionReason('checkTexts')
  const { lead, choices, choose, search, setSearch, searchable } = preview
  const nothingFound = search !== '' && choices.length === 0 ? text.noLeadFound : undefined
  if (silent)
    return (
      <div className={styles['aside']}>
        <Panel label={text.preview}>
          <p>{branchText.sendsNothing}</p>
        </Panel>
      </div>
    )
  return (
    <div className={styles['aside']}>
      <Panel label={text.preview}>
        {searchable && (
          <TextField type="search" label={text.searchLead} value={search} change={setSearch} hint={nothingFound} />
        )}
        {(lead !== null || searchable) && (
          <SelectField
            label={text.previewAs}
            value={lead?.id ?? ''}
            change={choose}
            choices={choices.map(({ id, firstName, lastName, email }) => ({
              value: id,
              label: [firstName, lastName].filter(Boolean).join(' ') || email,
            }))}
          />
        )}
        {forbidden !== null && <p>{forbidden}</p>}
        <ErrorNote error={check.error} again={() => void check.refetch()} />
        <Mail check={check.data} noLeads={lead === null} inThread={inThread} />
      </Panel>
      <Hints check={check.data} />
    </div>
  )
}

function Mail({ check, noLeads, inThread }: { check: TextCheck | undefined; noLeads: boolean; inThread: boolean }) {
  const [asHtml, setAsHtml] = useState(false)
  const preview = check?.previews[0]
  const account = useAccount().data
  if (noLeads) return <p>{text.noLeads}</p>
  if (preview === undefined) return null
  return (
    <div className={styles['mail']}>
      <p className={styles['mailSubject']}>{preview.subject === '' && inThread ? text.noSubject : preview.subject}</p>
      {asHtml && preview.html !== null ? (
        <MailFrame title={preview.subject ?? text.preview} html={preview.html} />
      ) : (
        <p className={styles['mailText']}>
          <PlainText>{preview.text}</PlainText>
        </p>
      )}
      {account !== undefined && account.postalAddress === null && <PostalLine />}
      {preview.problem !== null && preview.missing.length === 0 && (
        <p className={styles['missing']}>{preview.problem}</p>
      )}
      {preview.missing.map((name) => (
        <p key={name} className={styles['missing']}>
          {text.noValue(name)}
        </p>
      ))}
      {check?.variables
        .filter(({ missing }) => missing > 0)
        .map(({ name, missing, of }) => (
          <p key={name}>{text.missing(numberText(missing), numberText(of), name)}</p>
        ))}
      {preview.html !== null && (
        <Button small look="quiet" onClick={() => setAsHtml(!asHtml)} aria-pressed={asHtml}>
          {html}
        </Button>
      )}
    </div>
  )
}

/** The line that a preview lacks as long as the account has no address. The address is set in the live environment. */
function PostalLine() {
  const paths = usePaths()
  const isLive = useEnvironment() === 'live'
  return (
    <>
      <p className={styles['postal']}>{text.postalLine}</p>
      {isLive && (
        <p>
          <Link to={paths.settings()}>{text.addPostalAddress}</Link>
        </p>
      )}
    </>
  )
}

const html = 'HTML'

function Hints({ check }: { check: TextCheck | undefined }) {
  const [hidden, setHidden] = useState(hiddenHints)
  const hints = (check?.hints ?? []).filter(({ code }) => !hidden.includes(code))
  return (
    <Panel title={text.hints}>
      {hints.length === 0 && <p>{withoutHints(check)}</p>}
      <Lines label={text.hints}>
        {hints.map(({ code, severity, message, at, field }) => (
          <li key={`${code}${field}${at?.join('-')}`}>
            <Badge tone={severity === 'info' ? 'soft' : 'warn'}>
              {(text.hintCodes as Readonly<Record<string, string>>)[code] ?? code}
            </Badge>
            <Grow>{message}</Grow>
            <Button small look="quiet" onClick={() => setHidden(hideHint(code))}>
              {text.hide}
            </Button>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

function withoutHints(check: TextCheck | undefined): string {
  if (check !== undefined && check.issues.length > 0) return text.hintsLater
  return check === undefined || check.checkedTexts.body.trim() === '' ? text.hintsNotYet : text.noHints
}
