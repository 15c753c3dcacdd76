import * as sdk from '@overture/sdk'
import * as testing from '@overture/sdk/testing'
import * as webhooks from '@overture/sdk/webhooks'
import { everyday } from './everyday.mjs'

const { OVERTURE_API_KEY: key, OVERTURE_URL: url } = process.env
// Without options, the client reads its settings from the environment.
const { id } = await new sdk.Overture().account.get()
const told = await everyday({ published: { sdk, testing, webhooks }, url, key })
console.log(JSON.stringify({ ...told, fromEnvironment: id.startsWith('acc_') }))
