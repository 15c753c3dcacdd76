import { choice, flag, integer, like, list, text, url } from './setting.ts'

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const web = ['http:', 'https:']

const key = (of: string) => text({ secret: true, help: `the key for ${of}` })
const base = (of: string) => url(web, { otherwise: "the provider's own", help: `base URL of ${of}` })
const models = (of: string) => list({ otherwise: 'a default list', help: `models of ${of} to offer, comma-separated` })

export const modelSettings = {
  OPENAI_API_KEY: key('OpenAI'),
  OPENAI_BASE_URL: base('OpenAI'),
  OVERTURE_OPENAI_MODELS: models('OpenAI'),
  ANTHROPIC_API_KEY: key('Anthropic'),
  ANTHROPIC_BASE_URL: base('Anthropic'),
  OVERTURE_ANTHROPIC_MODELS: models('Anthropic'),
  GOOGLE_GENERATIVE_AI_API_KEY: key('Gemini'),
  GOOGLE_GENERATIVE_AI_BASE_URL: base('Gemini'),
  OVERTURE_GOOGLE_MODELS: models('Google'),
  MISTRAL_API_KEY: key('Mistral'),
  MISTRAL_BASE_URL: base('Mistral'),
  OVERTURE_MISTRAL_MODELS: models('Mistral'),
  OVERTURE_AI_BASE_URL: url(web, { help: 'base URL of an OpenAI-compatible server' }),
  OVERTURE_AI_MODEL: text({ help: 'the model of that server' }),
  OVERTURE_AI_API_KEY: key('that server'),
  OVERTURE_AI_CREDITS_PER_GENERATION: integer({ min: 0, max: 1000, default: '1', help: 'credits per generated text' }),
  OVERTURE_AI_IN_TEST: flag({ default: '0', help: '`1` lets the test environment use real models' }),
  OVERTURE_AI_MODELS_FILE: text({ help: 'a JSON file with more models, their context and price' }),
  OVERTURE_AI_CONCURRENCY: integer({
    min: 1,
    max: 1000,
    default: '8',
    help: 'parallel calls per process and provider',
  }),
  OVERTURE_AI_REQUESTS_PER_MINUTE: integer({
    min: 1,
    max: 1_000_000,
    otherwise: 'no limit in Overture',
    help: 'calls per minute, process and provider',
  }),
  OVERTURE_AI_TIMEOUT_SECONDS: integer({
    min: 1,
    max: 60,
    default: '60',
    help: 'maximum time of a provider for one text, retries included',
  }),
}

export const providerSettings = {
  GOOGLE_OAUTH_CLIENT_ID: text({ help: 'OAuth client id to connect Gmail mailboxes' }),
  GOOGLE_OAUTH_CLIENT_SECRET: text({ secret: true, help: 'the secret of that client' }),
  GOOGLE_OAUTH_AUTHORIZATION_URL: url(web, {
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    help: 'the consent page for mailbox owners',
  }),
  GOOGLE_OAUTH_TOKEN_URL: url(web, { default: 'https://oauth2.googleapis.com/token', help: 'the token endpoint' }),
  GOOGLE_SMTP_URL: url(['smtp:', 'smtps:'], {
    default: 'smtps://smtp.gmail.com:465',
    help: 'the SMTP server',
  }),
  GOOGLE_IMAP_URL: url(['imap:', 'imaps:'], { default: 'imaps://imap.gmail.com:993', help: 'the IMAP server' }),
  MICROSOFT_OAUTH_CLIENT_ID: text({ help: 'OAuth client id to connect Microsoft 365 mailboxes' }),
  MICROSOFT_OAUTH_CLIENT_SECRET: text({ secret: true, help: 'the secret of that client' }),
  MICROSOFT_OAUTH_CLIENT_SECRET_EXPIRES: like(isDay, 'use a date such as 2028-01-31.', {
    help: 'the expiry date of that secret in Entra; warnings start 30 days before',
  }),
  MICROSOFT_OAUTH_AUTHORITY_URL: url(web, {
    default: 'https://login.microsoftonline.com',
    help: 'base URL of the login pages of one organization, such as the consent page for its administrator',
  }),
  MICROSOFT_OAUTH_AUTHORIZATION_URL: url(web, {
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    help: 'the consent page for mailbox owners',
  }),
  MICROSOFT_OAUTH_TOKEN_URL: url(web, {
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    help: 'the token endpoint',
  }),
  MICROSOFT_SMTP_URL: url(['smtp:', 'smtps:'], {
    default: 'smtp://smtp.office365.com:587?starttls',
    help: 'the SMTP server',
  }),
  MICROSOFT_IMAP_URL: url(['imap:', 'imaps:'], {
    default: 'imaps://outlook.office365.com:993',
    help: 'the IMAP server',
  }),
  OVERTURE_FINDER_PROVIDER: choice(['local', 'prospeo', 'pdl', 'apollo', 'none'], {
    default: 'local',
    help: 'the people database to search',
  }),
  OVERTURE_FINDER_MONTHLY_BUDGET: integer({
    min: 0,
    max: 1_000_000_000,
    otherwise: 'unlimited',
    help: 'maximum calls to a licensed provider per calendar month',
  }),
  PROSPEO_API_KEY: key('Prospeo'),
  PROSPEO_BASE_URL: base('Prospeo'),
  PDL_API_KEY: key('People Data Labs'),
  PDL_BASE_URL: base('People Data Labs'),
  APOLLO_API_KEY: key('Apollo'),
  APOLLO_BASE_URL: base('Apollo'),
  OVERTURE_FINDER_OPENSEARCH_URL: url(web, {
    otherwise: 'an index in this process',
    help: 'URL of the search cluster for people',
  }),
  OVERTURE_FINDER_OPENSEARCH_USERNAME: text({ help: 'username for the cluster' }),
  OVERTURE_FINDER_OPENSEARCH_PASSWORD: text({ secret: true, help: 'password for the cluster' }),
  OVERTURE_FINDER_OPENSEARCH_PREFIX: text({ default: 'overture', help: 'prefix of its index names' }),
  OVERTURE_FINDER_OPENSEARCH_SHARDS: integer({
    min: 1,
    max: 1000,
    default: '1',
    help: 'shards per index',
  }),
  OVERTURE_VERIFICATION_PROVIDER: choice(['none', 'zerobounce', 'neverbounce', 'bouncer'], {
    default: 'none',
    help: 'the provider that verifies addresses',
  }),
  OVERTURE_VERIFICATION_API_KEY: key('that provider'),
  OVERTURE_VERIFICATION_BASE_URL: url(web, { otherwise: "the provider's own", help: 'base URL of that provider' }),
  STRIPE_SECRET_KEY: text({
    secret: true,
    otherwise: 'nothing can be bought',
    help: 'secret key of Stripe, to sell credits',
  }),
  STRIPE_WEBHOOK_SECRET: text({ secret: true, help: 'signing secret of the Stripe webhook' }),
  STRIPE_BASE_URL: url(web, { otherwise: "Stripe's own", help: 'base URL of Stripe' }),
}
