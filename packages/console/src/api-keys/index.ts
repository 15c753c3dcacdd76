export { DeveloperPage } from './developer-page.tsx'
