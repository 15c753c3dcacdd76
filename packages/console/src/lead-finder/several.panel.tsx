import type { PersonSearchResult } from '@overture/sdk'
import { useState } from 'react'
import { addPersonText, AddSeveral } from '../leads/index.ts'
import type { Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Chosen, ErrorNote } from '../platform/ui/index.ts'
import { AddToList, listText } from '../lists/index.ts'
import { text } from './finder.messages.ts'
import { usePrices, useRevealSeveral } from './finder.queries.ts'

export type SelectedPerson = PersonSearchResult & { id: string }
/** Addresses by person. Null: the person has none. */
export type RevealedAddresses = Readonly<Record<string, string | null>>

interface SeveralProps {
  selection: Selection<SelectedPerson>
  /** Everyone on the page. */
  all: readonly SelectedPerson[]
  revealed: RevealedAddresses
  found: (personId: string, address: string | null) => void
}

/** Reveals and adds the selected people at once. The price is on the button. */
export function Several({ selection, all, revealed, found }: SeveralProps) {
  const [adding, setAdding] = useState(false)
  const [listing, setListing] = useState(false)
  const reveal = useRevealSeveral()
  const price = usePrices().data?.reveal.email ?? 1
  const { items } = selection
  const masked = items.filter(({ id, emailMasked }) => !(id in revealed) && emailMasked !== '')
  const known = items.filter(({ id }) => typeof revealed[id] === 'string')
  const leads = known.map(({ id, ...person }) => ({ ...person, email: revealed[id] ?? '' }))
  const credits = numberText(masked.length * price)
  return (
    <>
      <Chosen label={text.selection} count={text.selected(numberText(items.length))}>
        <Button small look="quiet" onClick={() => selection.choose(all)}>
          {text.selectAll}
        </Button>
        {masked.length > 0 && (
          <Button
            small
            operation="revealField"
            busy={reveal.isPending}
            onClick={() => reveal.mutate({ people: masked.map(({ id }) => id), found })}
          >
            {masked.length === 1 ? text.revealOne(credits) : text.revealSeveral(numberText(masked.length), credits)}
          </Button>
        )}
        {known.length > 0 && (
          <>
            <Button small operation="addCampaignLeads" onClick={() => setAdding(true)}>
              {addPersonText.addSeveral(numberText(known.length))}
            </Button>
            <Button small quietReason operation="addListMembers" onClick={() => setListing(true)}>
              {listText.addSeveral(numberText(known.length))}
            </Button>
          </>
        )}
        {items.length > 0 && (
          <Button small look="quiet" onClick={selection.clear}>
            {text.clear}
          </Button>
        )}
        <ErrorNote error={reveal.error} />
      </Chosen>
      {listing && <AddToList people={leads} close={() => setListing(false)} />}
      {adding && <AddSeveral leads={leads} close={() => setAdding(false)} />}
    </>
  )
}
