export {
  checkTemplate,
  checkTemplate as templateProblem,
  missingVariables,
  renderTemplate,
  templateLengthMax,
  type Scope,
  type TemplateResult,
} from './template.ts'
export { escapeHtml, htmlToText, isHtml, textToHtml } from '../ground/text/text-html.ts'
export {
  leadScope,
  renderMessage,
  renderParts,
  replySubject,
  type LeadVariables,
  type RenderInput,
  type RenderResult,
  type SenderVariables,
} from './render.ts'
export { templateRoutes } from './templates.routes.ts'
export { listTemplateTexts } from './templates.sql.ts'
