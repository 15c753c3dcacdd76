/** All that other features may know of AI writing. */
export { aiRoutes } from './ai.routes.ts'
export { type AiTools, type FindLeadFacts } from './generate.commands.ts'
export { checkAiStart } from './ai-start.queries.ts'
export { insertStarterPresets } from './presets.commands.ts'
