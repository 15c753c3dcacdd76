export {
  createTemplateRenderer,
  postponedMessage,
  type RenderOutcome,
  type TemplateRenderer,
} from './renderer.client.ts'
export { templateRoutes } from './templates.routes.ts'
export { presentTemplate } from './templates.shell.ts'
export { findTemplate, listTemplates, listTemplateTexts } from './templates.sql.ts'
