import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTemplateRenderer } from '@overture/server/templates/index.ts'

/** Renders templates as the server does; its threads begin with the first text and keep no test alive. */
export const testRenderer = createTemplateRenderer(createLogger('silent'))
