import type { EditorView } from 'prosemirror-view'

const widthPx = 288
const gapPx = 6

/** The place below a position of the text, within the box of the editor. */
export function placeBelow(view: EditorView, box: HTMLElement | null, position: number): { top: number; left: number } {
  if (box === null) return { top: 0, left: 0 }
  const outer = box.getBoundingClientRect()
  const { bottom, left } = view.coordsAtPos(Math.min(position, view.state.doc.content.size))
  const leftMax = Math.max(0, outer.width - widthPx)
  return {
    top: Math.min(bottom, outer.bottom) - outer.top + gapPx,
    left: Math.min(Math.max(0, left - outer.left), leftMax),
  }
}
