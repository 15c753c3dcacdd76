import type { ListMember, ListOfPeople } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { Filters, SearchFilter, useSearchParams } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import {
  AskFirst,
  Badge,
  Button,
  Empty,
  Grow,
  Lines,
  Link,
  Page,
  Panel,
  say,
  Shown,
  useGo,
} from '../platform/ui/index.ts'
import { AddMember } from './add-member.panel.tsx'
import { EditList } from './edit-list.panel.tsx'
import { ImportMembersDialog } from './import-members.panel.tsx'
import { useDeleteList, useRemoveMember } from './lists.actions.ts'
import { text } from './lists.messages.ts'
import { variablesText } from './members.ts'
import { useList } from './lists.queries.ts'

/** The number of campaigns that the question before a deletion names. */
const namesMax = 10

export function ListPage() {
  const { id } = usePathParams('/lists/$id')
  const list = useList(id)
  const [importing, setImporting] = useState(false)
  return (
    <Page
      title={list.data?.name ?? text.title}
      actions={
        list.data && (
          <>
            <DeleteList list={list.data} />
            <EditList list={list.data} />
            <AddMember listId={id} />
            <Button look="primary" operation="importListMembers" onClick={() => setImporting(true)}>
              {text.importPeople}
            </Button>
          </>
        )
      }
    >
      <Shown of={list}>
        {(data) => (
          <>
            {data.description !== '' && <p>{data.description}</p>}
            {data.followers.length > 0 && <Followers list={data} />}
            <Members list={data} />
          </>
        )}
      </Shown>
      <ImportMembersDialog listId={id} open={importing} close={() => setImporting(false)} />
    </Page>
  )
}

function Followers({ list }: { list: ListOfPeople }) {
  const paths = usePaths()
  return (
    <Panel title={text.followers}>
      <Lines label={text.followers}>
        {list.followers.map(({ campaignId, campaignName, added, skipped, upToDate }) => (
          <li key={campaignId}>
            <Grow>
              <Link to={paths.campaign(campaignId, 'leads')}>{campaignName}</Link>
            </Grow>
            {text.taken(numberText(added), numberText(skipped))}
            {!upToDate && <Badge tone="soft">{text.catchingUp}</Badge>}
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

function Members({ list: { id, memberCount } }: { list: ListOfPeople }) {
  const [{ q }] = useSearchParams()
  const filter = q === undefined ? {} : { q }
  return (
    <>
      <Filters label={text.filters}>
        <SearchFilter label={text.searchMembers} />
      </Filters>
      <Panel flush label={text.members}>
        <ListTable
          label={text.members}
          reading={{
            key: ['lists', 'members', id, memberCount, filter],
            page: (api, place) => api.lists.members.list(id, { ...filter, ...place }).page(),
            isCapped: q !== undefined,
          }}
          columns={memberColumns(id)}
          rowKey={({ email }) => email}
          csv={<CsvLink path={`/v2/lists/${id}/members`} query={filter} />}
          empty={
            <Empty title={q === undefined ? text.noMembers : text.noMembersFit}>
              {q === undefined ? text.noMembersText : text.noMembersFitText}
            </Empty>
          }
        />
      </Panel>
    </>
  )
}

function memberColumns(listId: string): Column<ListMember>[] {
  return [
    { name: text.email, cell: ({ email }) => email },
    { name: text.name, cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') },
    { name: text.company, cell: ({ company }) => company },
    { name: text.variables, cell: ({ customVariables }) => variablesText(customVariables) },
    { name: text.added, cell: ({ addedAt }) => <Time at={addedAt} /> },
    { name: text.remove, cell: ({ email }) => <RemoveMember listId={listId} email={email} /> },
  ]
}

function RemoveMember({ listId, email }: { listId: string; email: string }) {
  const remove = useRemoveMember({ listId, email }, ({ stillLeads }) => {
    const names = stillLeads.map(({ campaignName }) => campaignName).join(', ')
    say(names === '' ? text.removed : text.stillLeads(names))
  })
  return (
    <AskFirst operation="removeListMembers" small label={text.remove} title={text.removeTitle} action={remove}>
      {text.removeText(email)}
    </AskFirst>
  )
}

function DeleteList({ list }: { list: ListOfPeople }) {
  const { name, followers } = list
  const go = useGo()
  const paths = usePaths()
  const remove = useDeleteList(list, () => {
    say(text.deleted)
    go(paths.lists)
  })
  return (
    <AskFirst operation="deleteList" label={text.deleteList} title={text.deleteTitle} action={remove}>
      {text.deleteText(name)}
      {followers.length > 0 && ` ${text.followedBy(numberText(followers.length), campaignNames(followers))}`}
    </AskFirst>
  )
}

function campaignNames(followers: ListOfPeople['followers']): string {
  const names = followers
    .slice(0, namesMax)
    .map(({ campaignName }) => `“${campaignName}”`)
    .join(', ')
  const more = followers.length - namesMax
  return more > 0 ? text.andMore(names, numberText(more)) : names
}
