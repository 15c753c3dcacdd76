export { ClockBar } from './clock-bar.panel.tsx'
export { useClock, type ClockState } from './clock.queries.ts'
