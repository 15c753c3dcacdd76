import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { usePaths, type Paths } from '../paths.ts'
import { useReading } from '../platform/api/query.ts'
import { currentBindings } from '../platform/keys/keys.ts'
import { Dialog, useGo } from '../platform/ui/index.ts'
import { listDestinations } from './destinations.ts'
import type { EarlyLetters } from './early-letters.ts'
import { matches } from './matches.ts'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'

interface Entry {
  id: string
  name: string
  kind: string
  act: () => void
}

const foundMax = 5
const shownMax = 12
/** Letters typed quickly after each other are one search, since each search is three requests. */
const restMs = 150
const address = /^\S+@\S+\.\S+$/

interface PaletteProps {
  open: boolean
  close: () => void
  /** The text that was typed since the palette was requested. */
  early: () => EarlyLetters
}

/** Finds pages, actions of this page, campaigns, people and conversations by a few letters. */
export function Palette({ open, close, early }: PaletteProps) {
  return (
    <Dialog title={text.palette} open={open} close={close} foot={null}>
      {open && <PaletteBody close={close} early={early} />}
    </Dialog>
  )
}

function PaletteBody({ close, early }: Omit<PaletteProps, 'open'>) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { entries, busy } = useEntries(typed.trim())
  const [entered, setEntered] = useState(false)
  const current = Math.min(chosen, Math.max(0, entries.length - 1))
  const act = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    close()
    entry.act()
  }
  // From here on every key press goes to the input.
  useLayoutEffect(() => {
    input.current?.focus()
    const { letters, entered: meant } = early()
    setTyped(letters)
    setEntered(meant)
  }, [])
  // If the user types an address and presses Enter at once, the match is opened as soon as it is found.
  useEffect(() => {
    if (!entered || busy) return
    setEntered(false)
    act(entries[0])
  }, [entered, busy])
  const pressed = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (move !== undefined) setChosen((current + move + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter' && entries.length === 0) setEntered(true)
    else if (event.key === 'Enter') act(entries[current])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={input}
        className={styles['paletteInput']}
        role="combobox"
        aria-label={text.search}
        aria-expanded
        aria-controls="palette-results"
        aria-activedescendant={entries[current] === undefined ? undefined : `palette-${current}`}
        placeholder={text.paletteHint}
        autoComplete="off"
        value={typed}
        onKeyDown={pressed}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
          setEntered(false)
        }}
      />
      {entries.length === 0 && <p role="status">{busy ? text.searching : text.nothingFound}</p>}
      <div
        id="palette-results"
        role="listbox"
        aria-label={text.results}
        className={styles['options']}
        hidden={entries.length === 0}
      >
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === current}
            tabIndex={-1}
            onClick={() => act(entry)}
            onPointerMove={() => setChosen(index)}
          >
            {entry.name}
            <small>{entry.kind}</small>
          </div>
        ))}
      </div>
    </>
  )
}

interface FoundEntries {
  entries: Entry[]
  busy: boolean
}

function useEntries(typed: string): FoundEntries {
  const paths = usePaths()
  const go = useGo()
  const restedText = useRested(typed)
  const resting = restedText !== typed && typed.length >= lengthMin
  // Results of an earlier text are not shown for the current one.
  const sought = resting ? '' : typed
  const people = useFoundPeople(sought, paths, go)
  const campaigns = useFoundCampaigns(sought, paths, go)
  const conversations = useFoundConversations(sought, paths, go)
  const pages = listDestinations(paths).map(({ name, to }) => ({ id: to, name, kind: text.pages, act: () => go(to) }))
  const doing: Entry[] = [
    { id: 'new-campaign', name: text.newCampaign, kind: text.actions, act: () => go(`${paths.campaigns}?new=1`) },
    { id: 'connect', name: text.connectSender, kind: text.actions, act: () => go(paths.connectSender) },
    ...currentBindings()
      .filter(({ keys }) => !keys.startsWith('g '))
      .map(({ keys, label, act }) => ({ id: `key-${keys}`, name: label, kind: text.actions, act })),
  ]
  const fixed = [...pages, ...doing].filter(({ name }) => matches(name, typed))
  // For an address the person is the most likely target, so people come first.
  const listed = typed.includes('@')
    ? [...people.entries, ...conversations.entries, ...campaigns.entries]
    : [...campaigns.entries, ...people.entries, ...conversations.entries]
  const entries = typed.includes('@') ? [...listed, ...fixed] : [...fixed.slice(0, shownMax - foundMax), ...listed]
  // A person found by address is the target, even if other searches are still running.
  const found = typed.includes('@') && people.entries.length > 0 ? [people] : [people, campaigns, conversations]
  const busy = resting || found.some((one) => one.busy)
  return { entries: entries.slice(0, shownMax), busy }
}

function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), restMs)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}

const lengthMin = 2

function useFoundPeople(typed: string, paths: Paths, go: (to: string) => void): FoundEntries {
  const { data, isFetching } = useReading({
    key: ['people', 'palette', typed],
    async read(api) {
      // A full address is found by an index, however many people there are.
      const exact = address.test(typed)
        ? await api.leads.list({ email: typed.toLowerCase(), limit: foundMax }).page()
        : undefined
      return exact !== undefined && exact.results.length > 0
        ? exact
        : api.leads.list({ q: typed, limit: foundMax }).page()
    },
    enabled: typed.length >= lengthMin,
  })
  const entries = (data?.results ?? []).flatMap((person) =>
    person.campaigns.map(({ leadId, campaignId, campaignName }) => ({
      id: leadId,
      name: person.email,
      kind: `${text.person} · ${campaignName}`,
      act: () => go(paths.lead(campaignId, leadId, 'why')),
    })),
  )
  return { entries, busy: isFetching }
}

function useFoundCampaigns(typed: string, paths: Paths, go: (to: string) => void): FoundEntries {
  const { data, isFetching } = useReading({
    key: ['campaigns', 'palette', typed],
    read: (api) => api.campaigns.list({ q: typed, limit: foundMax }).page(),
    enabled: typed.length >= lengthMin,
  })
  const entries = (data?.results ?? []).map(({ id, name }) => ({
    id,
    name,
    kind: text.campaign,
    act: () => go(paths.campaign(id)),
  }))
  return { entries, busy: isFetching }
}

function useFoundConversations(typed: string, paths: Paths, go: (to: string) => void): FoundEntries {
  const { data, isFetching } = useReading({
    key: ['conversations', 'palette', typed],
    read: (api) => api.conversations.list({ q: typed, limit: foundMax }).page(),
    enabled: typed.length >= lengthMin,
  })
  const entries = (data?.results ?? []).map(({ id, subject }) => ({
    id,
    name: subject,
    kind: text.conversation,
    act: () => go(paths.conversation(id)),
  }))
  return { entries, busy: isFetching }
}
