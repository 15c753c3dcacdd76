const published = {
  sdk: require('@overture/sdk'),
  testing: require('@overture/sdk/testing'),
  webhooks: require('@overture/sdk/webhooks'),
}
const { OVERTURE_API_KEY: key, OVERTURE_URL: url } = process.env

async function run() {
  const { everyday } = await import('./everyday.mjs')
  const { id } = await new published.sdk.Overture().account.get()
  const told = await everyday({ published, url, key })
  console.log(JSON.stringify({ ...told, fromEnvironment: id.startsWith('acc_') }))
}

void run()
