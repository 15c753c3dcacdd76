export { AccountForecastPanel } from './account-forecast.panel.tsx'
