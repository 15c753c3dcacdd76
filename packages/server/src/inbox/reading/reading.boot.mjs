// A worker thread does not inherit the loader of its parent. So this plain JavaScript file registers the loader first.
import { register } from 'tsx/esm/api'

register()
await import('./reading.thread.ts')
