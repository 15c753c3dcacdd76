import { useEffect, useRef } from 'react'

/** A key and its action on this page; listed under `?`. */
export interface KeyBinding {
  /** `j`, `Escape`, or two keys in a row: `g i`. */
  keys: string
  label: string
  act: () => void
}

interface Layer {
  bindings: readonly KeyBinding[]
}

const layers: { current: Layer }[] = []
const pending: { first: string | null; atMs: number } = { first: null, atMs: 0 }
const settings = { singleKeys: false }
const pairWithinMs = 1_200

/** The keys of a component while it is mounted. Keys that were added later win. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const layer = useRef<Layer>({ bindings })
  layer.current = { bindings }
  useEffect(() => {
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [])
}

/** All active key bindings, the most recently added first. */
export function currentBindings(): KeyBinding[] {
  return layers.toReversed().flatMap((layer) => layer.current.bindings)
}

/** Single keys can be turned off for users of speech input, or users who hit keys by accident. */
export function setSingleKeys(on: boolean): void {
  settings.singleKeys = on
}

export function listenToKeys(): () => void {
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

function pressed(event: KeyboardEvent): void {
  if (!settings.singleKeys || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (isTyping(event.target) || document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null) return
  const { first, atMs } = pending
  pending.first = null
  const pair = first !== null && event.timeStamp - atMs < pairWithinMs ? `${first} ${event.key}` : null
  const bindings = currentBindings()
  const found =
    (pair !== null && bindings.find(({ keys }) => keys === pair)) || bindings.find(({ keys }) => keys === event.key)
  if (found) {
    event.preventDefault()
    found.act()
  } else if (bindings.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    pending.first = event.key
    pending.atMs = event.timeStamp
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
