import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

export interface Series {
  name: string
  values: readonly number[]
}

const firstWidth = 460
/** The room for a label below the lines. */
const labelWidth = 70
const size = { height: 170, left: 40, bottom: 22, top: 8 }

/** A few lines over the same points. Each line has its own dashes, so that it can be recognized without color. */
export function Lines({ labels, series }: { labels: readonly string[]; series: readonly Series[] }) {
  const [measure, width] = useWidth(firstWidth)
  const labelsMax = Math.max(2, Math.floor(width / labelWidth))
  const highest = niceMax(Math.max(1, ...series.flatMap(({ values }) => values)))
  const x = (index: number) => size.left + (index * (width - size.left - 8)) / Math.max(1, labels.length - 1)
  const y = (value: number) => size.top + (1 - value / highest) * (size.height - size.top - size.bottom)
  return (
    <div>
      <svg ref={measure} className={styles['chart']} viewBox={`0 0 ${width} ${size.height}`} aria-hidden>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line
              className={styles['grid']}
              x1={size.left}
              x2={width - 8}
              y1={y(part * highest)}
              y2={y(part * highest)}
            />
            <text x={size.left - 6} y={y(part * highest) + 4} textAnchor="end">
              {part * highest}
            </text>
          </g>
        ))}
        {labels.map((label, index) =>
          index % Math.ceil(labels.length / labelsMax) === 0 ? (
            <text
              key={label}
              x={x(index)}
              y={size.height - 4}
              textAnchor={index === 0 ? 'start' : index === labels.length - 1 ? 'end' : 'middle'}
            >
              {label}
            </text>
          ) : null,
        )}
        {series.map(({ name, values }, index) => (
          <polyline
            key={name}
            className={`${styles['line']} ${styles[`s${index % 3}`]}`}
            points={values.map((value, at) => `${x(at)},${y(value)}`).join(' ')}
          />
        ))}
      </svg>
      <Legend names={series.map(({ name }) => name)} />
    </div>
  )
}

function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul className={styles['legend']}>
      {names.map((name, index) => (
        <li key={name}>
          <svg width="22" height="8" aria-hidden>
            <line className={`${styles['line']} ${styles[`s${index % 3}`]}`} x1="0" x2="22" y1="4" y2="4" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Rounds up to 1, 2 or 5 followed by zeros, and to an even number, so that half of it is a readable number. */
export function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * power >= value) ?? 10
  return Math.max(2, step * power)
}
