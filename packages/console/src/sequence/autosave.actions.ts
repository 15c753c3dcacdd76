import { ApiError, type Campaign } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'
import { issueOf } from '../platform/ui/index.ts'
import { draftOf, inputOf, withIds, type StepDraft } from './draft.ts'

/** After the last key. */
const restMs = 800
const againMs = 5_000

export type SaveState =
  | { kind: 'saved'; at: string }
  | { kind: 'unsaved' | 'saving' }
  | { kind: 'failed'; error: Error }
  | { kind: 'conflict'; theirs: Campaign }

export interface Autosave {
  draft: StepDraft[]
  state: SaveState
  change: (draft: StepDraft[]) => void
  /** Saves now; in an active campaign nothing is saved before this. */
  save: () => void
  keepMine: () => void
  takeTheirs: () => void
}

interface Book {
  draft: StepDraft[]
  /** As the server has them, to see whether somebody else changed them. */
  base: string
  updatedAt: string
  running: boolean
  timer?: ReturnType<typeof setTimeout>
}

/** Saves what was written when its writer rests, one request at a time, and takes over the ids that it was given. */
export function useAutosave(campaign: Campaign): Autosave {
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  const byItself = campaign.status !== 'active' && campaign.status !== 'scheduled'
  const [draft, setDraft] = useState(() => draftOf(campaign.steps))
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: campaign.updatedAt })
  const book = useRef<Book>({ draft, base: baseOf(campaign), updatedAt: campaign.updatedAt, running: false })
  const show = (next: StepDraft[]): void => {
    book.current.draft = next
    setDraft(next)
  }
  const take = (answered: Campaign): void => {
    Object.assign(book.current, { updatedAt: answered.updatedAt, base: baseOf(answered) })
    client.setQueryData([environment, 'campaigns', 'one', campaign.id], answered)
  }
  const save = async (): Promise<void> => {
    const { current } = book
    clearTimeout(current.timer)
    if (current.running) return
    current.running = true
    const sent = current.draft
    setState({ kind: 'saving' })
    try {
      const answered = await api.campaigns.update(campaign.id, { steps: inputOf(sent), updatedAt: current.updatedAt })
      take(answered)
      show(withIds(current.draft, sent, answered.steps))
      setState(
        current.draft.length === sent.length && sameWriting(current.draft, sent)
          ? { kind: 'saved', at: answered.updatedAt }
          : { kind: 'unsaved' },
      )
      if (!sameWriting(current.draft, sent)) later(restMs)
    } catch (error) {
      current.running = false
      if (issueOf(error, 'updatedAt') !== undefined) return compare()
      setState({ kind: 'failed', error: error as Error })
      // Without an answer it is tried again; a refusal waits for a change.
      if (!ApiError.is(error)) later(againMs)
    } finally {
      current.running = false
    }
  }
  const compare = async (): Promise<void> => {
    const theirs = await api.campaigns.get(campaign.id)
    // Something else of the campaign changed, not its steps: nobody's words are at stake.
    if (baseOf(theirs) !== book.current.base) return setState({ kind: 'conflict', theirs })
    book.current.updatedAt = theirs.updatedAt
    return save()
  }
  const later = (ms: number): void => {
    clearTimeout(book.current.timer)
    book.current.timer = setTimeout(() => void save(), ms)
  }
  useEffect(() => () => clearTimeout(book.current.timer), [])
  return {
    draft,
    state,
    change(next) {
      show(next)
      if (state.kind !== 'conflict') setState({ kind: 'unsaved' })
      if (byItself && state.kind !== 'conflict') later(restMs)
    },
    save: () => void save(),
    keepMine() {
      if (state.kind !== 'conflict') return
      Object.assign(book.current, { updatedAt: state.theirs.updatedAt, base: baseOf(state.theirs) })
      show(withKnownIds(book.current.draft, state.theirs))
      void save()
    },
    takeTheirs() {
      if (state.kind !== 'conflict') return
      take(state.theirs)
      show(draftOf(state.theirs.steps))
      setState({ kind: 'saved', at: state.theirs.updatedAt })
    },
  }
}

function baseOf({ steps }: Campaign): string {
  return JSON.stringify(inputOf(draftOf(steps)))
}

function sameWriting(a: readonly StepDraft[], b: readonly StepDraft[]): boolean {
  const plain = (draft: readonly StepDraft[]) =>
    JSON.stringify(inputOf(draft), (name, value: unknown) => (name === 'id' ? undefined : value))
  return plain(a) === plain(b)
}

/** Steps that somebody removed meanwhile are made anew. */
function withKnownIds(draft: readonly StepDraft[], { steps }: Campaign): StepDraft[] {
  const known = new Set(steps.flatMap(({ id, variants }) => [id, ...variants.map((one) => one.id)]))
  const kept = (id: string | null) => (id !== null && known.has(id) ? id : null)
  return draft.map((step) => ({
    ...step,
    id: kept(step.id),
    variants: step.variants.map((variant) => ({ ...variant, id: kept(variant.id) })),
  }))
}
