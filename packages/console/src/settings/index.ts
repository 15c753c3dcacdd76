export { useAccount } from './account.queries.ts'
