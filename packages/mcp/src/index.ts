/** Overture for assistants, through the Model Context Protocol: `overture mcp` over pipes, `/mcp` over HTTP. */
export { ceilings, readAccess, type Access, type Ceiling } from './access.ts'
export { createDocPages } from './doc-pages.ts'
export { createMcpServer } from './server.ts'
