export {
  createTemplateRenderer,
  postponedMessage,
  type RenderOutcome,
  type TemplateRenderer,
} from './renderer.client.ts'
export { templateRoutes } from './templates.routes.ts'
export { findTemplate, listTemplateTexts } from './templates.sql.ts'
