export { AccountForecastPanel } from './account-forecast.panel.tsx'
export { adminInstruction } from './admin-instruction.messages.ts'
