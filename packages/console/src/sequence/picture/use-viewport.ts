import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { fitted, moved, opened, zoomed, type Size, type Viewport } from './viewport.ts'

const stepPx = 60
const zoomStep = 1.25
/** One notch of a mouse wheel is about a hundred pixels. */
const wheelPxPerDoubling = 350

interface Place {
  x: number
  y: number
}

/** Moves and zooms a picture inside its frame by pointer, wheel and keyboard. The picture is drawn once and only transformed. */
export function useViewport(picture: Size & { firstX: number }) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<SVGSVGElement>(null)
  const view = useRef<Viewport>({ x: 0, y: 0, scale: 1 })
  const seen = useRef<'opened' | 'whole' | 'moved'>('opened')
  const shown = (): Size => ({ width: frame.current?.clientWidth ?? 0, height: frame.current?.clientHeight ?? 0 })
  const show = (next: Viewport): void => {
    view.current = next
    canvas.current?.style.setProperty('transform', `translate(${next.x}px, ${next.y}px) scale(${next.scale})`)
  }
  const move = (by: Place): void => {
    seen.current = 'moved'
    show(moved(view.current, by, picture, shown()))
  }
  const zoom = (factor: number, at: Place = middle(shown())): void => {
    seen.current = 'moved'
    show(moved(zoomed(view.current, factor, at), { x: 0, y: 0 }, picture, shown()))
  }
  const fit = (): void => {
    seen.current = 'whole'
    show(fitted(picture, shown()))
  }
  useLayoutEffect(() => {
    const resized = new ResizeObserver(() => {
      // A picture that the user did not move follows the size of its frame.
      if (seen.current !== 'moved') show((seen.current === 'whole' ? fitted : opened)(picture, shown()))
    })
    if (frame.current !== null) resized.observe(frame.current)
    return () => resized.disconnect()
  }, [picture.width, picture.height, picture.firstX])
  useWheel(frame, { move, zoom })
  return {
    frame,
    canvas,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    fit,
    handlers: {
      ...usePointers({ move, zoom }),
      onKeyDown: (event: KeyboardEvent) => pressed(event, { move, zoom, fit }),
    },
  }
}

interface Moves {
  move: (by: Place) => void
  zoom: (factor: number, at?: Place) => void
}

function middle({ width, height }: Size): Place {
  return { x: width / 2, y: height / 2 }
}

/** React can't stop the page from scrolling, because it listens to the wheel passively. */
function useWheel(frame: { current: HTMLDivElement | null }, moves: Moves): void {
  const latest = useRef(moves)
  latest.current = moves
  useEffect(() => {
    const element = frame.current
    const turned = (event: WheelEvent): void => {
      event.preventDefault()
      const { deltaX, deltaY, ctrlKey, metaKey } = event
      // A pinch on a touchpad arrives as a wheel with Ctrl.
      if (ctrlKey || metaKey)
        latest.current.zoom(2 ** (-deltaY / wheelPxPerDoubling), placeIn(event, event.currentTarget))
      else latest.current.move({ x: -deltaX, y: -deltaY })
    }
    element?.addEventListener('wheel', turned, { passive: false })
    return () => element?.removeEventListener('wheel', turned)
  }, [])
}

/** One pointer moves the picture. Two zoom it. */
function usePointers({ move, zoom }: Moves) {
  const pointers = useRef(new Map<number, Place>())
  const end = (event: PointerEvent): void => void pointers.current.delete(event.pointerId)
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pointers.current.set(event.pointerId, placeIn(event, event.currentTarget))
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const before = pointers.current.get(event.pointerId)
      if (before === undefined) return
      const now = placeIn(event, event.currentTarget)
      pointers.current.set(event.pointerId, now)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      if (other === undefined) move({ x: now.x - before.x, y: now.y - before.y })
      else zoom(distance(now, other) / Math.max(1, distance(before, other)), other)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

function pressed(event: KeyboardEvent, { move, zoom, fit }: Moves & { fit: () => void }): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move({ x: stepPx, y: 0 }),
    ArrowRight: () => move({ x: -stepPx, y: 0 }),
    ArrowUp: () => move({ x: 0, y: stepPx }),
    ArrowDown: () => move({ x: 0, y: -stepPx }),
    '+': () => zoom(zoomStep),
    '=': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': fit,
  }
  const act = acts[event.key]
  if (act === undefined) return
  event.preventDefault()
  // Letters and digits are also shortcuts of the page.
  event.stopPropagation()
  act()
}

function placeIn({ clientX, clientY }: { clientX: number; clientY: number }, element: EventTarget | null): Place {
  const { left, top } = (element as Element).getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
