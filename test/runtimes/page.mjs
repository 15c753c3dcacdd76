import * as sdk from '@overture/sdk'
import * as testing from '@overture/sdk/testing'
import * as webhooks from '@overture/sdk/webhooks'
import { everyday } from './everyday.mjs'

// Browsers send a stream as a body only over HTTP/2.
globalThis.runEveryday = ({ url, key }) =>
  everyday({ published: { sdk, testing, webhooks }, url, key, streams: false, inPage: true })
