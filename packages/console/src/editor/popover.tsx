import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { TextField } from '../platform/form/index.ts'
import { Button } from '../platform/ui/index.ts'
import { typedAddress } from './source/addresses.ts'
import { changeChip, insertImage, linkAround, removeLink, setLink } from './commands.ts'
import { text } from './editor.messages.ts'
import { parseSpinOptions, spinSource, parseVariable, variableSource } from './source/liquid.ts'
import { placeBelow } from './place.ts'
import styles from './editor.module.css'

export type OpenForm = { kind: 'link' } | { kind: 'image' } | { kind: 'chip'; position: number }

export interface PopoverProps {
  form: OpenForm
  view: EditorView
  /** The editor with its toolbar. */
  box: HTMLElement | null
  close: () => void
  run: (command: Command) => void
}

/** A small form at the cursor: for a link, an image, or the chip at a place. */
export function EditorPopover(props: PopoverProps) {
  switch (props.form.kind) {
    case 'link':
      return <LinkForm {...props} />
    case 'image':
      return <ImageForm {...props} />
    case 'chip':
      return <ChipForm {...props} position={props.form.position} />
  }
}

function LinkForm(props: PopoverProps) {
  const { view, run, close } = props
  const [known] = useState(() => linkAround(view.state)?.href ?? null)
  const [typed, setTyped] = useState(known ?? '')
  const [isWrong, setWrong] = useState(false)
  const apply = (): void => {
    const href = typedAddress(typed)
    setWrong(href === null)
    if (href === null) return
    run(setLink(href))
    close()
  }
  const remove = (): void => {
    run(removeLink)
    close()
  }
  return (
    <Popover {...props} label={text.link} apply={apply} remove={known === null ? undefined : remove}>
      <TextField
        label={text.address}
        inputMode="url"
        value={typed}
        change={setTyped}
        error={isWrong ? text.addressWrong : undefined}
      />
    </Popover>
  )
}

function ImageForm(props: PopoverProps) {
  const [src, setSrc] = useState('')
  const [alt, setAlt] = useState('')
  const [isWrong, setWrong] = useState(false)
  const apply = (): void => {
    const isAddress = /^https?:\/\/\S+$/i.test(src.trim()) || /^\{\{.*\}\}$/.test(src.trim())
    setWrong(!isAddress)
    if (!isAddress) return
    props.run(insertImage(src.trim(), alt.trim()))
    props.close()
  }
  return (
    <Popover {...props} label={text.image} apply={apply} applyLabel={text.insert}>
      <TextField
        label={text.imageAddress}
        inputMode="url"
        value={src}
        change={setSrc}
        error={isWrong ? text.imageWrong : undefined}
      />
      <TextField label={text.imageText} value={alt} change={setAlt} />
    </Popover>
  )
}

interface ChipTexts {
  title: string
  label: string
  hint?: string
  typed: string
  toSource: (typed: string) => string
}

function ChipForm({ position, ...props }: PopoverProps & { position: number }) {
  const { view, run, close } = props
  const [chip] = useState(() => chipTexts(String(view.state.doc.nodeAt(position)?.attrs['source'] ?? '')))
  const [typed, setTyped] = useState(chip.typed)
  const apply = (): void => {
    run(changeChip(position, chip.toSource(typed)))
    close()
  }
  const remove = (): void => {
    run((state, dispatch) => {
      dispatch?.(state.tr.delete(position, position + 1))
      return true
    })
    close()
  }
  return (
    <Popover {...props} label={chip.title} apply={apply} remove={remove}>
      <TextField
        label={chip.label}
        {...(chip.hint !== undefined && { hint: chip.hint })}
        value={typed}
        change={setTyped}
      />
    </Popover>
  )
}

function chipTexts(source: string): ChipTexts {
  const variable = parseVariable(source)
  if (variable !== null)
    return {
      title: variable.name,
      label: text.fallback(variable.name),
      hint: text.fallbackHint,
      typed: variable.fallback ?? '',
      toSource: (fallback) => variableSource({ name: variable.name, fallback: fallback.trim() }),
    }
  const options = parseSpinOptions(source)
  if (options !== null)
    return { title: text.spin, label: text.spin, hint: text.spinHint, typed: options.join(' | '), toSource: spinSource }
  return { title: text.tag, label: text.tag, typed: source, toSource: (typed) => typed }
}

interface FrameProps extends PopoverProps {
  label: string
  apply: () => void
  applyLabel?: string
  remove?: (() => void) | undefined
  children: ReactNode
}

function Popover({ view, box, close, label, apply, applyLabel = text.apply, remove, children }: FrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [place] = useState(() => placeBelow(view, box, view.state.selection.from))
  useEffect(() => {
    const field = frame.current?.querySelector('input')
    field?.focus()
    field?.select()
    const away = ({ target }: PointerEvent): void => {
      if (target instanceof Node && frame.current?.contains(target) === false) close()
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [])
  const pressed = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key !== 'Escape' && !(event.key === 'Enter' && event.target instanceof HTMLInputElement)) return
    // The form around the editor and the dialog around it keep out of this.
    event.preventDefault()
    if (event.key === 'Escape') close()
    else apply()
  }
  return (
    <div ref={frame} role="group" aria-label={label} className={styles['popover']} style={place} onKeyDown={pressed}>
      {children}
      <div className={styles['popoverFoot']}>
        <Button small look="primary" onClick={apply}>
          {applyLabel}
        </Button>
        {remove !== undefined && (
          <Button small onClick={remove}>
            {text.remove}
          </Button>
        )}
        <Button small look="quiet" onClick={close}>
          {text.cancel}
        </Button>
      </div>
    </div>
  )
}
