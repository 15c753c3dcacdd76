import type { AddListMembersResults, LeadItem, ListImport, ListOfPeople, RemoveListMembersResults } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { joinResults, splitMembers } from './members.ts'

const stale = () => [['lists'], ['campaigns'], ['leads'], ['people']] as const
const uploadTimeoutMs = 30 * 60_000

export function useCreateList(done: (list: ListOfPeople) => void) {
  return useAction<{ name: string; description: string }, ListOfPeople>({
    act: (api, input) => api.lists.create(input),
    stale,
    done,
  })
}

export function useUpdateList(listId: string, done: () => void) {
  return useAction<{ name: string; description: string }>({
    act: (api, input) => api.lists.update(listId, input),
    stale,
    done,
  })
}

/** Deletes a list. The campaigns that the user saw in the question stop following it first. Another follower makes the API refuse. */
export function useDeleteList({ id, followers }: Pick<ListOfPeople, 'id' | 'followers'>, done: () => void) {
  return useAction({
    async act(api) {
      for (const { campaignId } of followers)
        await api.campaigns.update(campaignId, { settings: { followsListId: null } })
      return api.lists.delete(id)
    },
    deletes: id,
    stale: () => [['lists'], ['campaigns']],
    done,
  })
}

export function useRemoveMember(
  { listId, email }: { listId: string; email: string },
  done: (answer: RemoveListMembersResults) => void,
) {
  return useAction<void, RemoveListMembersResults>({
    act: (api) => api.lists.members.remove(listId, { emails: [email] }),
    stale,
    done,
  })
}

/** Adds people to a list, in as many calls as needed. Those that the list has already get the new fields. */
export function useAddMembers(listId: string, done: (answer: AddListMembersResults) => void) {
  return useAction<readonly LeadItem[], AddListMembersResults>({
    async act(api, people) {
      const answers: AddListMembersResults[] = []
      for (const members of splitMembers(people)) answers.push(await api.lists.members.add(listId, { members }))
      return joinResults(answers)
    },
    stale,
    done,
  })
}

export function useImportMembers(listId: string) {
  return useAction<{ file: File; sheet: string | null }, ListImport>({
    act: (api, { file, sheet }) =>
      api.call<ListImport>('POST', `/v2/lists/${listId}/import`, {
        body: file,
        type: 'text/csv',
        query: sheet === null ? {} : { sheet },
        options: { timeoutMs: uploadTimeoutMs },
      }),
  })
}

/** Lets a campaign follow a list, or none. */
export function useFollowList(campaignId: string, done: () => void) {
  return useAction<string | null>({
    act: (api, followsListId) => api.campaigns.update(campaignId, { settings: { followsListId } }),
    stale,
    done,
  })
}
