#!/usr/bin/env node
// Node 20 does not read TypeScript, so the loader is registered before the program is imported.
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
