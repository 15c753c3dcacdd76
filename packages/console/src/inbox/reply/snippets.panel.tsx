import type { Template } from '@overture/sdk'
import { useState } from 'react'
import { Soft } from '../../platform/ui/index.ts'
import { useFilledSnippet } from '../inbox.actions.ts'
import { text } from '../inbox.messages.ts'
import { useSnippets } from '../inbox.queries.ts'
import styles from '../inbox.module.css'

/** A slash at the beginning opens the snippets, and the text after it filters them. */
export function useSnippetChoice(leadId: string | null, typed: string, setTyped: (value: string) => void) {
  const asking = /^\/\S*$/.test(typed)
  const [chosen, setChosen] = useState(0)
  const found = useSnippets(asking)
  const fill = useFilledSnippet(leadId, setTyped)
  const wanted = typed.slice(1).toLowerCase()
  const options = (found.data?.results ?? []).filter(({ name }) => name.toLowerCase().includes(wanted))
  const current = Math.min(chosen, Math.max(0, options.length - 1))
  const pressed = (event: KeyboardEvent): boolean => {
    if (!asking || options.length === 0) return false
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setChosen((current + move + options.length) % options.length)
    else if (event.key === 'Enter') fill.mutate(options[current]!)
    else return false
    return true
  }
  return {
    pressed,
    error: fill.error,
    list: asking ? <SnippetList options={options} current={current} choose={(one) => fill.mutate(one)} /> : null,
  }
}

function SnippetList({
  options,
  current,
  choose,
}: {
  options: readonly Template[]
  current: number
  choose: (template: Template) => void
}) {
  if (options.length === 0) return <Soft>{text.noSnippets}</Soft>
  return (
    <div role="listbox" aria-label={text.snippets} className={styles['snippets']}>
      {options.map((one, index) => (
        <div key={one.id} role="option" aria-selected={index === current} tabIndex={-1} onClick={() => choose(one)}>
          {one.name}
        </div>
      ))}
    </div>
  )
}
