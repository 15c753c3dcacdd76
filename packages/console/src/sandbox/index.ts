export { ClockBar } from './clock-bar.panel.tsx'
export { useClock } from './clock.queries.ts'
