// Worker threads don't inherit their parent's loader, so this plain JavaScript file registers it.
import { register } from 'tsx/esm/api'

register()
await import('./render.thread.ts')
