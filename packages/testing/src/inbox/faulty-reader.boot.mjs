// A worker thread doesn't inherit its parent's loader, so this plain JavaScript file registers the loader.
import { register } from 'tsx/esm/api'

register()
await import('./faulty-reader.thread.ts')
