import type { Conversation, Interest } from '@overture/sdk'
import { interestChoices } from '../leads/index.ts'
import { SelectField } from '../platform/form/index.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import type { Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Chosen, ErrorNote } from '../platform/ui/index.ts'
import { useBulkConversations } from './bulk.actions.ts'
import { text } from './inbox.messages.ts'

export interface BulkConversationsProps {
  selection: Selection<Conversation>
  shown: readonly Conversation[]
}

const none = 'none'

/** Offers one change for all selected conversations. */
export function BulkConversations({ selection, shown }: BulkConversationsProps) {
  const { items } = selection
  const mayNot = usePermissionReason('bulkUpdateConversations') !== null
  const bulk = useBulkConversations(selection.clear)
  if (items.length === 0) return <ErrorNote error={bulk.error} />
  const { bulk: words } = text
  // If all of them are archived already, the button moves them back.
  const archived = items.some((one) => !one.archived)
  const read = items.some(({ unread }) => unread)
  return (
    <Chosen label={words.region} count={words.chosen(numberText(items.length))}>
      {items.length < shown.length && (
        <Button small look="quiet" onClick={() => selection.choose(shown)}>
          {words.chooseAll(numberText(shown.length))}
        </Button>
      )}
      <Button
        small
        operation="bulkUpdateConversations"
        busy={bulk.isPending}
        onClick={() => bulk.change(items, { archived })}
      >
        {archived ? text.archive : text.unarchive}
      </Button>
      <Button
        small
        operation="bulkUpdateConversations"
        busy={bulk.isPending}
        onClick={() => bulk.change(items, { read })}
      >
        {read ? text.markRead : text.markUnread}
      </Button>
      <SelectField
        label={text.interest}
        hideLabel
        disabled={mayNot}
        value=""
        choices={[{ value: '', label: words.setLabel }, { value: none, label: words.noLabel }, ...interestChoices]}
        change={(value) =>
          value !== '' && bulk.change(items, { interest: value === none ? null : (value as Interest) })
        }
      />
      <Button small look="quiet" onClick={selection.clear}>
        {words.clear}
      </Button>
      <ErrorNote error={bulk.error} />
    </Chosen>
  )
}
