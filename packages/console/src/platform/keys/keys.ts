import { useEffect, useRef } from 'react'

/** A key and what it does here; listed under `?`. */
export interface KeyBinding {
  /** `j`, `Escape`, or two after one another: `g i`. */
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

/** Keys of a page, as long as it is there; what came later goes first. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const layer = useRef<Layer>({ bindings })
  layer.current = { bindings }
  useEffect(() => {
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [])
}

/** Everything that a key does now, the nearest first. */
export function currentBindings(): KeyBinding[] {
  return layers.toReversed().flatMap((layer) => layer.current.bindings)
}

/** Single keys can be turned off, for whoever speaks to the machine or hits keys by accident. */
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
