import { useCampaigns } from '../campaigns/index.ts'
import { interestChoices } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { SelectField, useSearchParams } from '../platform/form/index.ts'
import { Heading, Link } from '../platform/ui/index.ts'
import { numberText } from '../platform/time/format.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { RelatedTagFilter } from '../tags/index.ts'
import { useColleagues, userChoices } from '../users/index.ts'
import { text } from './inbox.messages.ts'
import { useCounts, views, type View } from './inbox.queries.ts'
import styles from './inbox.module.css'

export function Views({ view }: { view: View }) {
  const paths = usePaths()
  const [params] = useSearchParams()
  const counted = useCounts().data
  const counts: Partial<Record<View, number | undefined>> = {
    awaiting: counted?.awaiting,
    unread: counted?.unread,
    snoozed: counted?.snoozed,
    scheduled: counted?.scheduled,
  }
  return (
    <div className={styles['views']}>
      <Heading>{text.title}</Heading>
      <nav aria-label={text.views} className={styles['viewList']}>
        {views.map((one) => (
          <Link
            key={one}
            to={`${paths.inbox}?${new URLSearchParams({ ...params, view: one })}`}
            aria-current={one === view ? 'true' : undefined}
          >
            {text.view[one]}
            {counts[one] !== undefined && counts[one] > 0 && <span>{numberText(counts[one])}</span>}
          </Link>
        ))}
      </nav>
      <InboxFilters />
    </div>
  )
}

function InboxFilters() {
  const [params, change] = useSearchParams()
  const campaigns = useCampaigns().data?.results ?? []
  const senders = useSenders().data?.results ?? []
  const colleagues = useColleagues()
  return (
    <div className={styles['filters']}>
      <SelectField
        label={text.interest}
        value={params['interest'] ?? ''}
        change={(interest) => change({ interest })}
        choices={[{ value: '', label: text.anyInterest }, ...interestChoices]}
      />
      <SelectField
        label={text.campaign}
        value={params['campaignId'] ?? ''}
        change={(campaignId) => change({ campaignId })}
        choices={[
          { value: '', label: text.anyCampaign },
          ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={text.sender}
        value={params['sendingAccountId'] ?? ''}
        change={(sendingAccountId) => change({ sendingAccountId })}
        choices={[
          { value: '', label: text.anySender },
          ...senders.map(({ id, email }) => ({ value: id, label: email })),
        ]}
      />
      <SelectField
        label={text.owner}
        value={params['ownerId'] ?? ''}
        change={(ownerId) => change({ ownerId })}
        choices={[{ value: '', label: text.anyOwner }, ...userChoices(colleagues)]}
      />
      <RelatedTagFilter />
    </div>
  )
}
