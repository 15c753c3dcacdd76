import type { Campaign } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { numberText } from '../platform/time/format.ts'
import { LinkButton, Note, Row } from '../platform/ui/index.ts'
import { text } from './campaigns.messages.ts'
import { useCampaignStats, useMissingValues } from './campaigns.queries.ts'

/** Says which variables have no value, and for how many leads the next message is held because of it. */
export function MissingValuesNote({ campaign }: { campaign: Campaign }) {
  const { id, status } = campaign
  const paths = usePaths()
  const missing = useMissingValues(id, status !== 'draft').data
  const sent = useCampaignStats(id).data?.sent ?? 0
  if (missing === undefined || missing.leads === 0) return null
  const people = numberText(missing.leads)
  return (
    <Note tone="warn">
      <p>
        {sent === 0 ? text.noneSent(people, missing.names.join(', ')) : text.someHeld(people, missing.names.join(', '))}
      </p>
      {missing.advice.map((advice) => (
        <p key={advice}>{advice}</p>
      ))}
      <Row>
        <LinkButton small to={paths.campaign(id, 'steps')}>
          {text.correctText}
        </LinkButton>
        <LinkButton small to={`${paths.campaign(id, 'leads')}?held=missing_variable`}>
          {text.addValues}
        </LinkButton>
      </Row>
    </Note>
  )
}
