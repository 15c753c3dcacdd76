import type { Ref } from 'react'
import { classes } from '../../platform/ui/index.ts'
import type { GraphNode } from './graph.ts'
import type { Layout, Line, PlacedBox } from './layout.ts'
import type { NodeText } from './node-text.ts'
import styles from './picture.module.css'

export interface DrawnNode {
  kind: GraphNode['kind']
  /** Whether it is a branch step. */
  isBranch: boolean
  text: NodeText
}

interface DrawingProps {
  label: string
  layout: Layout
  nodes: ReadonlyMap<string, DrawnNode>
  canvas: Ref<SVGSVGElement>
}

const arrowWidth = 8
const arrowHeight = 7

/** The boxes and lines. Screen readers get its label, and the same words as a list. */
export function Drawing({ label, layout, nodes, canvas }: DrawingProps) {
  const { width, height, boxes, lines } = layout
  return (
    <svg
      ref={canvas}
      className={styles['canvas']}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {lines.map((line) => (
        <g key={`${line.from} ${line.to}`}>
          <path className={styles['line']} d={curve(line)} />
          <path className={styles['arrow']} d={arrow(line)} />
        </g>
      ))}
      {boxes.map((box) => (
        <DrawnBox key={box.key} box={box} node={nodes.get(box.key)!} />
      ))}
    </svg>
  )
}

function DrawnBox({ box: { x, y, width, height }, node }: { box: PlacedBox; node: DrawnNode }) {
  const { kind, isBranch, text } = node
  return (
    <foreignObject x={x} y={y} width={width} height={height}>
      <div className={classes(styles['box'], styles[kind], isBranch && styles['branch'])}>
        <strong>{text.title}</strong>
        {text.lines.map((line, index) => (
          <span key={index} className={styles['words']} title={line}>
            {line}
          </span>
        ))}
        {text.warning !== null && <em>{text.warning}</em>}
        {text.counts.length > 0 && (
          <small>
            {text.counts.map((count) => (
              <span key={count}>{count}</span>
            ))}
          </small>
        )}
      </div>
    </foreignObject>
  )
}

/** Vertical within rows, and curved between them. */
function curve({ points: [start, ...rest] }: Line): string {
  const parts = rest.map(({ x, y }, index) => {
    const before = index === 0 ? start! : rest[index - 1]!
    const half = (before.y + y) / 2
    return index % 2 === 0 ? `V${y}` : `C${before.x} ${half} ${x} ${half} ${x} ${y}`
  })
  return `M${start!.x} ${start!.y}${parts.join('')}`
}

function arrow({ points }: Line): string {
  const { x, y } = points.at(-1)!
  return `M${x - arrowWidth / 2} ${y - arrowHeight}h${arrowWidth}L${x} ${y}Z`
}
