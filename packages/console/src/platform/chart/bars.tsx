import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

/** A funnel: each bar is a share of the first. */
export function Funnel({
  label,
  steps,
}: {
  label: string
  steps: readonly { name: string; value: number; text: string }[]
}) {
  const first = Math.max(1, steps[0]?.value ?? 1)
  return (
    <ol className={styles['funnel']} aria-label={label}>
      {steps.map(({ name, value, text }) => (
        <li key={name}>
          <span>{name}</span>
          <span aria-hidden>
            <span
              className={styles['funnelBar']}
              ref={(bar) => {
                if (bar === null) return
                bar.style.display = 'block'
                bar.style.width = `${(value / first) * 100}%`
              }}
            />
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}

export interface HeatRow {
  name: string
  values: readonly number[]
}

const firstWidth = 450
const cell = { height: 17, left: 40, top: 18 }

/** A heat map with one row per day and one column per hour. A stronger color is a higher value. */
export function HeatMap({ columns, rows }: { columns: readonly string[]; rows: readonly HeatRow[] }) {
  const highest = Math.max(...rows.flatMap(({ values }) => values), 0)
  const [measure, width] = useWidth(firstWidth)
  const cellWidth = (width - cell.left) / Math.max(1, columns.length)
  return (
    <svg
      ref={measure}
      className={styles['chart']}
      viewBox={`0 0 ${width} ${cell.top + rows.length * cell.height}`}
      aria-hidden
    >
      {columns.map((name, index) =>
        index % 3 === 0 ? (
          <text key={name} x={cell.left + index * cellWidth + cellWidth / 2} y={12} textAnchor="middle">
            {name}
          </text>
        ) : null,
      )}
      {rows.map(({ name, values }, rowIndex) => (
        <g key={name}>
          <text x={0} y={cell.top + rowIndex * cell.height + 13}>
            {name}
          </text>
          {values.map((value, index) => (
            <rect
              key={columns[index]}
              className={styles['cell']}
              x={cell.left + index * cellWidth}
              y={cell.top + rowIndex * cell.height}
              width={cellWidth}
              height={cell.height}
              rx={3}
              fillOpacity={highest === 0 ? 0.05 : 0.05 + 0.95 * (value / highest)}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}
