import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { Form, SelectField } from '../platform/form/index.ts'
import { Button, Dialog, say, Shown } from '../platform/ui/index.ts'
import { useFollowList } from './lists.actions.ts'
import { text } from './lists.messages.ts'
import { useLists } from './lists.queries.ts'

/** Chooses the list that fills a campaign. */
export function FollowList({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button operation="updateCampaign" onClick={() => setOpen(true)}>
        {text.follow}
      </Button>
      <Dialog title={text.following} open={open} close={() => setOpen(false)} foot={null}>
        <FollowForm campaign={campaign} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function FollowForm({ campaign: { id, settings }, close }: { campaign: Campaign; close: () => void }) {
  const [listId, setListId] = useState(settings.followsListId ?? '')
  const lists = useLists()
  const follow = useFollowList(id, () => {
    say(text.saved)
    close()
  })
  return (
    <Shown of={lists}>
      {(all) => (
        <Form
          operation="updateCampaign"
          submit={() => follow.mutate(listId === '' ? null : listId)}
          submitLabel={text.save}
          busy={follow.isPending}
          error={follow.error}
        >
          <p>{text.followHint}</p>
          <SelectField
            label={text.list}
            value={listId}
            change={setListId}
            choices={[{ value: '', label: text.noList }, ...all.map((list) => ({ value: list.id, label: list.name }))]}
          />
        </Form>
      )}
    </Shown>
  )
}
