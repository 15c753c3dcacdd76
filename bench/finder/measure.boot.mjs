// A worker thread does not take over its parent's loader: this file, plain JavaScript, brings it up.
import { register } from 'tsx/esm/api'

register()
await import('./measure.thread.ts')
