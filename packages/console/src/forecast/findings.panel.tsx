import type { Blocker, Campaign, Preflight } from '@overture/sdk'
import { blockedReasonText, useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { CopyButton, Grow, Lines, Link, LinkButton, Note } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { adminInstruction } from './admin-instruction.messages.ts'
import { blockerText, pageToFix, warningCure, shownWarnings } from './blockers.ts'
import { text } from './forecast.messages.ts'

/** The blockers of the launch, each with the button that solves it. */
export function Blockers({ campaign, blockers }: { campaign: Campaign; blockers: readonly Blocker[] }) {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  const campaigns = useCampaigns().data?.results ?? []
  if (blockers.length === 0) return null
  return (
    <Note tone="warn">
      <Lines label={text.blockers}>
        {blockers.map((blocker) => {
          const cure = pageToFix(blocker, campaign, paths)
          const label = (text.cures as Readonly<Record<string, string>>)[blocker.code] ?? text.cure
          return (
            <li key={`${blocker.code}${blocker.ref}`}>
              <Grow>{blockerText(blocker, { senders, campaigns })}</Grow>
              {cure === null ? (
                <CopyButton small label={text.copyInstruction} value={adminInstruction} />
              ) : (
                <LinkButton small to={cure}>
                  {label}
                </LinkButton>
              )}
            </li>
          )
        })}
      </Lines>
    </Note>
  )
}

export function Warnings({ campaign, warnings }: { campaign: Campaign; warnings: Preflight['warnings'] }) {
  const paths = usePaths()
  const shown = shownWarnings(warnings)
  if (shown.length === 0) return null
  return (
    <>
      <h3>{text.warnings}</h3>
      <Lines label={text.warnings}>
        {shown.map((warning) => {
          const { to, label } = warningCure(warning, campaign, paths)
          return (
            <li key={`${warning.code}${warning.ref}`}>
              <Grow>{warning.message}</Grow>
              <LinkButton small to={to}>
                {label}
                <span className="visually-hidden">: {warning.message}</span>
              </LinkButton>
            </li>
          )
        })}
      </Lines>
    </>
  )
}

/** The leads that get no message, by the reason. Each name leads to the page that explains it. */
export function LeftOut({ campaign, leftOut }: { campaign: Campaign; leftOut: Preflight['recipients']['leftOut'] }) {
  const paths = usePaths()
  if (leftOut.length === 0) return null
  const reasons = text.leftOutReasons as Readonly<Record<string, string>>
  return (
    <>
      <h3>{text.leftOut}</h3>
      <Lines label={text.leftOut}>
        {leftOut.map(({ reason, count, leads }) => (
          <li key={reason}>
            <Grow>
              <div>{text.leftOutCount(numberText(count), reasons[reason] ?? blockedReasonText(reason))}</div>
              <div>
                {leads.map(({ id, email, missingVariables }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Link to={paths.lead(campaign.id, id, 'why')}>
                      {missingVariables.length === 0 ? email : text.without(email, missingVariables.join(', '))}
                    </Link>
                  </span>
                ))}
                {count > leads.length && <> {text.more(numberText(count - leads.length))}</>}
              </div>
            </Grow>
          </li>
        ))}
      </Lines>
    </>
  )
}
