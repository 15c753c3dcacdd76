import { Bold, Image, Italic, Link2, List, ListOrdered, type LucideIcon } from 'lucide-react'
import type { Command } from 'prosemirror-state'
import { useState, type KeyboardEvent } from 'react'
import { Button, Menu } from '../platform/ui/index.ts'
import { toggleBold, toggleItalic, toggleList, type FormattingState } from './commands.ts'
import { text } from './editor.messages.ts'
import { bulletList, orderedList } from './schema.ts'
import styles from './editor.module.css'

export interface ToolbarProps {
  formatting: FormattingState | null
  run: (command: Command) => void
  open: (form: 'link' | 'image') => void
  variables: readonly string[]
  insertVariable: (name: string) => void
  showSource: () => void
}

interface Tool {
  label: string
  Icon: LucideIcon
  keys?: string
  pressed?: boolean
  act: () => void
}

const iconSize = 16

/** The formatting buttons are one stop for Tab; arrow keys move between them. */
export function Toolbar({ formatting, run, open, variables, insertVariable, showSource }: ToolbarProps) {
  const tools: Tool[] = [
    { label: text.bold, Icon: Bold, keys: 'B', pressed: formatting?.bold === true, act: () => run(toggleBold) },
    { label: text.italic, Icon: Italic, keys: 'I', pressed: formatting?.italic === true, act: () => run(toggleItalic) },
    { label: text.link, Icon: Link2, keys: 'K', pressed: formatting?.link === true, act: () => open('link') },
    {
      label: text.bullets,
      Icon: List,
      pressed: formatting !== null && formatting.list === bulletList,
      act: () => run(toggleList(bulletList!)),
    },
    {
      label: text.numbers,
      Icon: ListOrdered,
      pressed: formatting !== null && formatting.list === orderedList,
      act: () => run(toggleList(orderedList!)),
    },
    { label: text.image, Icon: Image, act: () => open('image') },
  ]
  return (
    <div className={styles['tools']}>
      <Tools tools={tools} />
      {variables.length > 0 && (
        <Menu
          small
          label={text.insertVariable}
          items={variables.map((name) => ({ label: name, act: () => insertVariable(name) }))}
        >
          {text.variable}
        </Menu>
      )}
      <Button small look="quiet" aria-pressed={false} title={text.sourceTitle} onClick={showSource}>
        {text.source}
      </Button>
    </div>
  )
}

function Tools({ tools }: { tools: readonly Tool[] }) {
  const [stop, setStop] = useState(0)
  const moved = (event: KeyboardEvent<HTMLElement>): void => {
    const places: Record<string, number> = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: -1 }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    const buttons = event.currentTarget.querySelectorAll('button')
    const next = (place + buttons.length) % buttons.length
    buttons[next]?.focus()
    setStop(next)
  }
  return (
    <div role="toolbar" aria-label={text.toolbar} className={styles['toolbar']} onKeyDown={moved}>
      {tools.map(({ label, Icon, keys, pressed, act }, index) => (
        <Button
          key={label}
          small
          icon
          look="quiet"
          tabIndex={index === stop ? 0 : -1}
          aria-label={label}
          aria-keyshortcuts={keys === undefined ? undefined : `Control+${keys}`}
          title={keys === undefined ? label : text.withKeys(label, keys)}
          aria-pressed={pressed}
          onFocus={() => setStop(index)}
          // The text keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={act}
        >
          <Icon size={iconSize} aria-hidden />
        </Button>
      ))}
    </div>
  )
}
