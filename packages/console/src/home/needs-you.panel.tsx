import type { SendingAccountStatus } from '@overture/sdk'
import { returnedWords } from '../campaigns/index.ts'
import { useUnread } from '../inbox/index.ts'
import { InDoubt, useInDoubt } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { ErrorNote, Grow, Lines, LinkButton, Panel } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { text } from './home.messages.ts'
import { useSummary } from './home.queries.ts'

/** Tasks that only a person can do. */
export function NeedsYou() {
  const paths = usePaths()
  const unread = useUnread()
  const doubts = useInDoubt()
  const senders = useSenders()
  const summary = useSummary()
  const { returned = [], missingValues = [] } = summary.data ?? {}
  const broken = (senders.data?.results ?? []).filter(
    ({ status }) => status === 'auth_required' || status === 'connection_error' || status === 'blocked',
  )
  const { leads, totalCount } = doubts.data ?? { leads: [], totalCount: 0 }
  const quiet = unread === 0 && broken.length === 0 && totalCount === 0 && returned.length + missingValues.length === 0
  return (
    <Panel title={text.needsYou}>
      <ErrorNote error={doubts.error ?? senders.error ?? summary.error} />
      {quiet && <p>{text.nothingNeeds}</p>}
      <Lines label={text.needsYou}>
        {unread > 0 && (
          <li>
            <Grow>{unread === 1 ? text.reply : text.replies(numberText(unread))}</Grow>
            <LinkButton small to={paths.inbox}>
              {text.open}
            </LinkButton>
          </li>
        )}
        {broken.map(({ id, email, status }) => (
          <li key={id}>
            <Grow>{brokenText(status, email)}</Grow>
            <LinkButton small to={paths.sender(id)}>
              {text.fix}
            </LinkButton>
          </li>
        ))}
        {returned.map(({ campaignId, name, leads: count }) => (
          <li key={campaignId}>
            <Grow>{text.returnedIn(name, returnedWords(count))}</Grow>
            <LinkButton small to={paths.campaign(campaignId)}>
              {text.open}
            </LinkButton>
          </li>
        ))}
        {missingValues.map(({ campaignId, name, leads: count }) => (
          <li key={campaignId}>
            <Grow>{text.missingIn(name, numberText(count))}</Grow>
            <LinkButton small to={paths.campaign(campaignId)}>
              {text.fix}
            </LinkButton>
          </li>
        ))}
      </Lines>
      {totalCount > 0 && <h3>{text.inDoubt}</h3>}
      {totalCount > 0 && (
        <Lines label={text.inDoubt}>
          {leads.map((lead) => (
            <li key={lead.id}>
              <InDoubt lead={lead} />
            </li>
          ))}
          {totalCount > leads.length && <li>{text.moreInDoubt(numberText(totalCount - leads.length))}</li>}
        </Lines>
      )}
    </Panel>
  )
}

function brokenText(status: SendingAccountStatus, email: string): string {
  if (status === 'blocked') return text.blocked(email)
  return status === 'auth_required' ? text.login(email) : text.connection(email)
}
