import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Form, SelectField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Dialog, ErrorNote, Link, say, Shown } from '../platform/ui/index.ts'
import { useFollowList } from './lists.actions.ts'
import { text } from './lists.messages.ts'
import { findFollower, useFollowedList, useLists } from './lists.queries.ts'

/** Shows the list that fills a campaign, and chooses it. */
export function FollowList({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState(false)
  const { followsListId } = campaign.settings
  return (
    <>
      {followsListId !== null && <Followed listId={followsListId} campaignId={campaign.id} />}
      <Button operation="updateCampaign" onClick={() => setOpen(true)}>
        {followsListId === null ? text.follow : text.changeFollowed}
      </Button>
      <Dialog title={text.following} open={open} close={() => setOpen(false)} foot={null}>
        <FollowForm campaign={campaign} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Followed({ listId, campaignId }: { listId: string; campaignId: string }) {
  const list = useFollowedList(listId, campaignId)
  const paths = usePaths()
  if (list.data === undefined) return <ErrorNote error={list.error} />
  const { added = 0, skipped = 0 } = findFollower(list.data, campaignId) ?? {}
  return <Link to={paths.list(listId)}>{text.follows(list.data.name, numberText(added), numberText(skipped))}</Link>
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
            label={text.oneList}
            value={listId}
            change={setListId}
            choices={[{ value: '', label: text.noList }, ...all.map((list) => ({ value: list.id, label: list.name }))]}
          />
        </Form>
      )}
    </Shown>
  )
}
