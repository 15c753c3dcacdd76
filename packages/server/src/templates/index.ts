export {
  createTemplateRenderer,
  postponedMessage,
  type RenderOutcome,
  type TemplateRenderer,
} from './renderer.client.ts'
export { templateRoutes } from './templates.routes.ts'
export { listTemplateTexts } from './templates.sql.ts'
