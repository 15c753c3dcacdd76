import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTemplateRenderer } from '@overture/server/templates/index.ts'

/** Renders templates as the server does. Its threads start with the first text and don't keep the process alive. */
export const testRenderer = createTemplateRenderer(createLogger('silent'))
