export { OverTimeFigure } from './charts.tsx'
export { useLastDays } from './analytics.queries.ts'
