export { useAccount } from './account.queries.ts'
export { SettingsPage } from './settings-page.tsx'
