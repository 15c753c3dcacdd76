export { Funnel, HeatMap, type HeatRow } from './bars.tsx'
export { Figure, NumbersTable, type ChartTable } from './figure.tsx'
export { Lines, niceMax, type Series } from './lines.tsx'
