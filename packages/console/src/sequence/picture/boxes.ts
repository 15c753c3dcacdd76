import type { GraphNode } from './graph.ts'
import type { Box } from './layout.ts'
import type { NodeText } from './node-text.ts'

/** The sizes of boxes in pixels. The style sheet has the same line heights. */
const sizes = {
  step: { width: 264, padding: 24, title: 22, line: 18, charsPerLine: Infinity },
  exit: { width: 208, padding: 18, title: 20, line: 17, charsPerLine: 28 },
  end: { width: 72, padding: 10, title: 20, line: 17, charsPerLine: Infinity },
  campaign: { width: 208, padding: 14, title: 20, line: 17, charsPerLine: Infinity },
  gone: { width: 208, padding: 14, title: 20, line: 17, charsPerLine: Infinity },
} as const
export const conditionLinesMax = 4
const countsHeight = 24
const warningHeight = 22

/** The size of a box, from its words. */
export function boxFor(key: string, kind: GraphNode['kind'], { lines, counts, warning }: NodeText): Box {
  const { width, padding, title, line, charsPerLine } = sizes[kind]
  const rows = lines.reduce(
    (sum, { length }) => sum + Math.min(conditionLinesMax, Math.max(1, Math.ceil(length / charsPerLine))),
    0,
  )
  const height =
    padding + title + rows * line + (counts.length > 0 ? countsHeight : 0) + (warning === null ? 0 : warningHeight)
  return { key, width, height }
}
