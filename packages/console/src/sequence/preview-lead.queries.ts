import type { Lead } from '@overture/sdk'
import { useState } from 'react'
import { useSomeLeads } from '../leads/index.ts'
import { useRested } from './check.queries.ts'

export interface PreviewLead {
  lead: Lead | null
  /** The leads that can be chosen: the first ones, or the first that match the search. */
  choices: readonly Lead[]
  choose: (id: string) => void
  search: string
  setSearch: (search: string) => void
  /** Whether the campaign has more leads than can be chosen without a search. */
  searchable: boolean
  /** The names of the custom variables of the first leads. */
  custom: readonly string[]
}

/** The lead for which the preview is made: the chosen one, or the first. A search that finds leads shows the first of them. */
export function usePreviewLead(campaignId: string): PreviewLead {
  const [chosen, setChosen] = useState<Lead | null>(null)
  const [search, setSearch] = useState('')
  const first = useSomeLeads(campaignId).data
  const found = useSomeLeads(campaignId, useRested(search.trim())).data?.results ?? []
  const some = first?.results ?? []
  const names = some.flatMap(({ customVariables }) => Object.keys(customVariables))
  const shown = found.find(({ id }) => id === chosen?.id) ?? found[0] ?? chosen ?? some[0] ?? null
  return {
    lead: shown,
    choices: found.length > 0 || search !== '' ? found : some,
    choose: (id) => setChosen([...found, ...some].find((one) => one.id === id) ?? null),
    search,
    setSearch,
    searchable: (first?.pagination.totalCount ?? 0) > some.length,
    custom: [...new Set(names)].map((name) => `customVariables.${name}`),
  }
}
