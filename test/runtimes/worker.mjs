import * as sdk from '@overture/sdk'
import * as testing from '@overture/sdk/testing'
import * as webhooks from '@overture/sdk/webhooks'
import { everyday } from './everyday.mjs'

// oxlint-disable-next-line import/no-default-export -- a worker is the default export of its module
export default {
  async fetch(_request, { OVERTURE_API_KEY: key, OVERTURE_URL: url }) {
    try {
      return Response.json(await everyday({ published: { sdk, testing, webhooks }, url, key }))
    } catch (error) {
      return new Response(error.stack, { status: 500 })
    }
  },
}
