import type { ListImport, ListOfPeople } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

const pageSize = 100
const againMs = 400
const followedAgainMs = 2_000

/** All lists, newest first. An account has 1,000 at most, which are ten pages. */
export function useLists() {
  return useReading<ListOfPeople[]>({
    key: ['lists', 'all'],
    read: (api) => api.lists.list({ limit: pageSize }).toArray(),
  })
}

export function useList(id: string) {
  return useReading<ListOfPeople>({ key: ['lists', 'one', id], read: (api, signal) => api.lists.get(id, { signal }) })
}

/** The list that a campaign follows. It is read again until the campaign has taken all members. */
export function useFollowedList(listId: string, campaignId: string) {
  return useReading<ListOfPeople>({
    key: ['lists', 'one', listId],
    read: (api) => api.lists.get(listId),
    againMs: (list) => (findFollower(list, campaignId)?.upToDate === false ? followedAgainMs : false),
  })
}

export function findFollower(list: ListOfPeople | undefined, campaignId: string) {
  return list?.followers.find((follower) => follower.campaignId === campaignId)
}

export function useMemberImport(id: string) {
  return useReading<ListImport>({
    key: ['lists', 'import', id],
    read: (api) => api.lists.imports.get(id),
    againMs: (data) => (data?.completedAt === null || data === undefined ? againMs : false),
  })
}
