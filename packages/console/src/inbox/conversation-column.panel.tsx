import type { Conversation } from '@overture/sdk'
import { InterestBadge } from '../leads/index.ts'
import type { useListReading } from '../platform/api/query.ts'
import { ChooseBox, TextField, useTypedParam } from '../platform/form/index.ts'
import type { Selection } from '../platform/table/index.ts'
import { numberText, timeText } from '../platform/time/format.ts'
import { Time, useTenantTime } from '../platform/time/now.tsx'
import { Badge, Button, classes, Empty, Link, Shown } from '../platform/ui/index.ts'
import { BulkConversations } from './bulk.panel.tsx'
import { text } from './inbox.messages.ts'
import { text as laterText } from './later/later.messages.ts'
import { personName } from './person-name.ts'
import type { useSettled } from './fresh.ts'
import styles from './inbox.module.css'

export interface ConversationColumnProps {
  list: ReturnType<typeof useListReading<Conversation>>
  settled: ReturnType<typeof useSettled<Conversation>>
  currentId: string | undefined
  to: (id: string) => string
  filtered: boolean
  /** The words of the search. */
  words: string
  selection: Selection<Conversation>
}

export function ConversationColumn({
  list,
  settled,
  currentId,
  to,
  filtered,
  words,
  selection,
}: ConversationColumnProps) {
  const [typed, setTyped] = useTypedParam('q')
  const { shown, freshCount, showFresh } = settled
  return (
    <section className={styles['column']} aria-label={text.list}>
      <search className={styles['searchBox']}>
        <TextField
          label={text.search}
          hideLabel
          type="search"
          placeholder={text.search}
          value={typed}
          change={setTyped}
        />
      </search>
      {freshCount > 0 && (
        <Button small className={styles['fresh']} onClick={showFresh}>
          {text.new(numberText(freshCount))}
        </Button>
      )}
      <BulkConversations selection={selection} shown={shown} />
      <Shown of={list.query}>
        {() =>
          shown.length === 0 ? (
            <Empty title={words !== '' ? text.noneFound(words) : filtered ? text.noneFit : text.none}>
              {filtered ? text.noneFitText : text.noneText}
            </Empty>
          ) : (
            <ul aria-label={text.list} aria-busy={list.query.isPlaceholderData || undefined}>
              {shown.map((one) => (
                <li key={one.id} className={styles['row']}>
                  <ChooseBox
                    label={text.bulk.choose(personName(one))}
                    checked={selection.has(one.id)}
                    change={() => selection.toggle(one)}
                  />
                  <ConversationItem conversation={one} current={one.id === currentId} to={to(one.id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {list.more !== null && (
        <Button look="quiet" onClick={list.more} busy={list.query.isFetchingNextPage}>
          {text.older}
        </Button>
      )}
    </section>
  )
}

function ConversationItem({ conversation, current, to }: { conversation: Conversation; current: boolean; to: string }) {
  const { unread, subject, snippet, lastMessageAt, interest, snoozedUntil, scheduled } = conversation
  const { zone } = useTenantTime()
  return (
    <Link
      to={to}
      aria-current={current ? 'true' : undefined}
      className={classes(styles['item'], unread && styles['unread'])}
    >
      <span className={styles['who']}>
        {unread && <span className="visually-hidden">{text.unreadMark}</span>}
        {personName(conversation)}
      </span>
      <span className={styles['when']}>
        <Time at={lastMessageAt} short />
      </span>
      <span className={styles['subject']}>{subject}</span>
      <span className={styles['snippet']}>{snippet}</span>
      {interest !== null && (
        <span className={styles['mark']}>
          <InterestBadge interest={interest} />
        </span>
      )}
      {scheduled !== null && (
        <span className={styles['mark']}>
          <Badge tone={scheduled === 'held' ? 'warn' : 'soft'}>
            {scheduled === 'held' ? laterText.heldMark : laterText.scheduledMark}
          </Badge>
        </span>
      )}
      {snoozedUntil !== null && (
        <span className={styles['mark']}>{laterText.snoozed(timeText(snoozedUntil, zone))}</span>
      )}
    </Link>
  )
}
