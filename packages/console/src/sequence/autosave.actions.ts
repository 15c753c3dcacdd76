import { ApiError, type Campaign, type StepInput } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'
import { isLostSession, lostSession } from '../platform/api/session-lost.ts'
import { usePermissionReason } from '../platform/session/permission.ts'
import { findIssue } from '../platform/ui/index.ts'
import { keepTexts, keptTexts, refusedBy, refusedIn, withKept, withoutRefused } from './texts/kept-texts.ts'
import { toDraft, idsGiven, idsIn, isHalfWritten, withIds, withoutBlank, type StepDraft } from './draft.ts'
import { toStepInputs } from './draft-input.ts'

/** The time after the last key press. */
const restMs = 800
const againMs = 5_000

export type SaveState =
  | { kind: 'saved'; at: string }
  /** Everything is saved, except texts that don't parse. They are stored in this browser. */
  | { kind: 'kept'; at: string }
  | { kind: 'unsaved' | 'saving' }
  /** `sent` has the keys of the steps, in the order in which the error counts them. */
  | { kind: 'failed'; error: Error; sent: readonly string[] }
  | { kind: 'conflict'; theirs: Campaign }

export interface Autosave {
  draft: StepDraft[]
  state: SaveState
  change: (draft: StepDraft[]) => void
  /** Saves now. In an active campaign nothing is saved before this call. */
  save: () => void
  /**
   * Saves now. Returns false if that is refused, or if the campaign was changed elsewhere in between. `fresh` is the campaign from the last
   * answer.
   */
  apply: (fresh?: Campaign) => Promise<boolean>
  /** Keeps the texts of these steps that the error refuses in this browser. Returns false if there are no new ones. */
  refuse: (error: unknown, steps: readonly StepInput[]) => boolean
  /** Saves unsaved edits if the campaign saves automatically. Returns false if some are still unsaved. */
  flush: () => Promise<boolean>
  keepMine: () => void
  takeTheirs: () => void
}

interface Book {
  draft: StepDraft[]
  /** The steps as the server has them, to detect changes made elsewhere. */
  base: string
  updatedAt: string
  /** Whether leads come from other campaigns. */
  takesOver: boolean
  /** The ids that the server gave to new parts, and the ids that the campaign has now. */
  given: Map<string, string>
  known: ReadonlySet<string>
  /** Texts that the API refused, as `kept-texts.ts` names them. */
  refused: Set<string>
  state: SaveState
  running: Promise<void> | null
  timer?: ReturnType<typeof setTimeout>
}

/** Saves the steps when the user stops typing, one request at a time, and stores the ids that the server gives. */
export function useAutosave(campaign: Campaign): Autosave {
  const byItself = campaign.status !== 'active' && campaign.status !== 'scheduled'
  const [draft, setDraft] = useState(() => withKept(toDraft(campaign.steps), keptTexts(campaign.id)))
  const [state, setState] = useState<SaveState>(() => firstState(campaign, byItself))
  const mayChange = usePermissionReason('updateCampaign') === null
  const refused = new Set<string>()
  const book = useRef<Book>({ draft, state, refused, running: null, given: new Map(), ...savedState(campaign) })
  const show = (next: StepDraft[]): void => {
    book.current.draft = next
    setDraft(next)
  }
  const reportState = (next: SaveState): void => {
    book.current.state = next
    setState(next)
  }
  const saving = useSaving({ id: campaign.id, book, byItself, show, reportState })
  useEffect(() => () => clearTimeout(book.current.timer), [])
  useSaveWhenRegained(state.kind === 'failed', () => void saving.save())
  return {
    draft,
    state,
    change(next) {
      if (!mayChange) return
      // An undone edit may have been given ids, or may have lost them, in between.
      show(withIds(next, book.current.given, book.current.known))
      if (state.kind === 'conflict') return
      reportState({ kind: 'unsaved' })
      if (byItself) saving.later(restMs)
    },
    save: () => void saving.save(),
    async apply(fresh) {
      if (fresh !== undefined && savedBase(fresh) === book.current.base) book.current.updatedAt = fresh.updatedAt
      await saving.save()
      return book.current.state.kind === 'saved'
    },
    async flush() {
      // The second attempt saves edits that were made during the first.
      for (let tries = 0; byItself && tries < 2 && !isSettled(book.current.state); tries++) await saving.save()
      return isAllKept(book.current.state)
    },
    refuse: saving.refuse,
    keepMine() {
      if (state.kind !== 'conflict') return
      Object.assign(book.current, savedState(state.theirs))
      show(withIds(book.current.draft, book.current.given, book.current.known))
      void saving.save()
    },
    takeTheirs() {
      if (state.kind !== 'conflict') return
      saving.take(state.theirs)
      keepTexts(campaign.id, {})
      show(toDraft(state.theirs.steps))
      reportState({ kind: 'saved', at: state.theirs.updatedAt })
    },
  }
}

function firstState({ id, updatedAt }: Campaign, byItself: boolean): SaveState {
  const hasKept = Object.keys(keptTexts(id)).length > 0
  if (!hasKept) return { kind: 'saved', at: updatedAt }
  return byItself ? { kind: 'kept', at: updatedAt } : { kind: 'unsaved' }
}

/** Whether leaving the page loses nothing. */
export function isAllKept({ kind }: SaveState): boolean {
  return kind === 'saved' || kind === 'kept'
}

function isSettled(state: SaveState): boolean {
  return isAllKept(state) || state.kind === 'conflict'
}

interface SavingUse {
  id: string
  book: { readonly current: Book }
  byItself: boolean
  show: (draft: StepDraft[]) => void
  reportState: (state: SaveState) => void
}

function useSaving({ id, book: { current }, byItself, show, reportState }: SavingUse) {
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  const take = (answered: Campaign): void => {
    Object.assign(current, savedState(answered))
    client.setQueryData([environment, 'campaigns', 'one', id], answered)
  }
  const refuse = (error: unknown, steps: readonly StepInput[]): boolean => {
    const found = refusedBy(error, steps).filter((text) => !current.refused.has(text))
    for (const text of found) current.refused.add(text)
    if (found.length > 0) keepTexts(id, refusedIn(current.draft, current.refused))
    return found.length > 0
  }
  const send = async (): Promise<void> => {
    const sent = withoutBlank(current.draft)
    const written = toStepInputs(sent, current.takesOver)
    const { steps, count } = byItself
      ? withoutRefused(written, current.refused, JSON.parse(current.base) as StepInput[])
      : { steps: written, count: 0 }
    const settle = (at: string): void => {
      keepTexts(id, refusedIn(current.draft, current.refused))
      reportState(isHalfWritten(current.draft) ? { kind: 'unsaved' } : { kind: count > 0 ? 'kept' : 'saved', at })
    }
    if (JSON.stringify(steps) === current.base) return settle(current.updatedAt)
    reportState({ kind: 'saving' })
    let answered: Campaign
    try {
      answered = await api.campaigns.update(id, { steps, updatedAt: current.updatedAt })
    } catch (error) {
      if (refuse(error, steps) && byItself) return send()
      throw error
    }
    take(answered)
    const all = sameWriting(withoutBlank(current.draft), sent)
    for (const [key, given] of idsGiven(sent, answered.steps)) current.given.set(key, given)
    show(withIds(current.draft, current.given, current.known))
    if (all) return settle(answered.updatedAt)
    reportState({ kind: 'unsaved' })
    later(restMs)
  }
  const compare = async (): Promise<void> => {
    const theirs = await api.campaigns.get(id)
    // Another part of the campaign changed, not its steps, so no edit can be lost.
    if (savedBase(theirs) !== current.base) return reportState({ kind: 'conflict', theirs })
    current.updatedAt = theirs.updatedAt
    return send()
  }
  const attempt = async (): Promise<void> => {
    const sent = withoutBlank(current.draft).map(({ key }) => key)
    try {
      await send().catch((error: unknown) => {
        if (findIssue(error, 'updatedAt') === undefined) throw error
        return compare()
      })
    } catch (error) {
      reportState({ kind: 'failed', error: error as Error, sent })
      // If the server did not respond, the save is retried. After a refusal it waits for a change.
      if (!ApiError.is(error)) later(againMs)
      if (isLostSession(error)) lostSession.tell()
    }
  }
  const save = (): Promise<void> => {
    clearTimeout(current.timer)
    current.running ??= attempt().finally(() => (current.running = null))
    return current.running
  }
  const later = (ms: number): void => {
    clearTimeout(current.timer)
    current.timer = setTimeout(() => void save(), ms)
  }
  return { save, later, take, refuse }
}

function savedState(campaign: Campaign): Pick<Book, 'updatedAt' | 'base' | 'known' | 'takesOver'> {
  return {
    takesOver: campaign.entry !== null,
    updatedAt: campaign.updatedAt,
    base: savedBase(campaign),
    known: idsIn(campaign.steps),
  }
}

/** Saves again after the user signed in, if the save was refused because the session had ended. */
function useSaveWhenRegained(failed: boolean, save: () => void): void {
  useEffect(() => (failed ? lostSession.whenRegained(save) : undefined), [failed])
}

function savedBase({ steps, entry }: Campaign): string {
  return JSON.stringify(toStepInputs(toDraft(steps), entry !== null))
}

function sameWriting(a: readonly StepDraft[], b: readonly StepDraft[]): boolean {
  const plain = (draft: readonly StepDraft[]) =>
    JSON.stringify(toStepInputs(draft, true), (name, value: unknown) => (name === 'id' ? undefined : value))
  return plain(a) === plain(b)
}
