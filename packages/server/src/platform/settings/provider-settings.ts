import { choice, flag, integer, like, list, text, url } from './setting.ts'

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const web = ['http:', 'https:']

const key = (of: string) => text({ secret: true, help: `the key for ${of}` })
const base = (of: string) => url(web, { otherwise: "the provider's own", help: `where ${of} is reached` })
const models = (of: string) => list({ otherwise: 'the usual ones', help: `models of ${of} to offer, comma-separated` })

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
  OVERTURE_AI_BASE_URL: url(web, { help: 'any OpenAI-compatible server' }),
  OVERTURE_AI_MODEL: text({ help: 'its model' }),
  OVERTURE_AI_API_KEY: key('that server'),
  OVERTURE_AI_CREDITS_PER_GENERATION: integer({ min: 0, max: 1000, default: '1', help: 'what a text costs' }),
  OVERTURE_AI_IN_TEST: flag({ default: '0', help: '`1` lets the test environment ask real models' }),
  OVERTURE_AI_MODELS_FILE: text({ help: 'a JSON file of models with context and price, on top of the known ones' }),
  OVERTURE_AI_CONCURRENCY: integer({
    min: 1,
    max: 1000,
    default: '8',
    help: 'calls of one process to one provider at once',
  }),
  OVERTURE_AI_REQUESTS_PER_MINUTE: integer({
    min: 1,
    max: 1_000_000,
    otherwise: 'as many as the provider takes',
    help: 'calls of one process to one provider per minute',
  }),
  OVERTURE_AI_TIMEOUT_SECONDS: integer({
    min: 1,
    max: 60,
    default: '60',
    help: "a provider's whole time for one text",
  }),
}

export const providerSettings = {
  GOOGLE_OAUTH_CLIENT_ID: text({ help: 'connects Gmail mailboxes' }),
  GOOGLE_OAUTH_CLIENT_SECRET: text({ secret: true, help: 'with it' }),
  GOOGLE_OAUTH_AUTHORIZATION_URL: url(web, {
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    help: 'where owners agree',
  }),
  GOOGLE_OAUTH_TOKEN_URL: url(web, { default: 'https://oauth2.googleapis.com/token', help: 'where tokens come from' }),
  GOOGLE_SMTP_URL: url(['smtp:', 'smtps:'], {
    default: 'smtps://smtp.gmail.com:465',
    help: 'where their mail is sent',
  }),
  GOOGLE_IMAP_URL: url(['imap:', 'imaps:'], { default: 'imaps://imap.gmail.com:993', help: 'where it is read' }),
  MICROSOFT_OAUTH_CLIENT_ID: text({ help: 'connects Microsoft 365 mailboxes' }),
  MICROSOFT_OAUTH_CLIENT_SECRET: text({ secret: true, help: 'with it' }),
  MICROSOFT_OAUTH_CLIENT_SECRET_EXPIRES: like(isDay, 'a day such as 2028-01-31.', {
    help: 'the last day of that secret, as Entra shows it: warnings begin 30 days before',
  }),
  MICROSOFT_OAUTH_AUTHORITY_URL: url(web, {
    default: 'https://login.microsoftonline.com',
    help: 'the base address of the pages of one organization, such as the page for its administrator',
  }),
  MICROSOFT_OAUTH_AUTHORIZATION_URL: url(web, {
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    help: 'where owners agree',
  }),
  MICROSOFT_OAUTH_TOKEN_URL: url(web, {
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    help: 'where tokens come from',
  }),
  MICROSOFT_SMTP_URL: url(['smtp:', 'smtps:'], {
    default: 'smtp://smtp.office365.com:587?starttls',
    help: 'where their mail is sent',
  }),
  MICROSOFT_IMAP_URL: url(['imap:', 'imaps:'], {
    default: 'imaps://outlook.office365.com:993',
    help: 'where it is read',
  }),
  OVERTURE_FINDER_PROVIDER: choice(['local', 'prospeo', 'pdl', 'apollo', 'none'], {
    default: 'local',
    help: 'where people are searched',
  }),
  OVERTURE_FINDER_MONTHLY_BUDGET: integer({
    min: 0,
    max: 1_000_000_000,
    otherwise: 'unbounded',
    help: 'calls to a licensed provider per calendar month',
  }),
  PROSPEO_API_KEY: key('Prospeo'),
  PROSPEO_BASE_URL: base('Prospeo'),
  PDL_API_KEY: key('People Data Labs'),
  PDL_BASE_URL: base('People Data Labs'),
  APOLLO_API_KEY: key('Apollo'),
  APOLLO_BASE_URL: base('Apollo'),
  OVERTURE_FINDER_OPENSEARCH_URL: url(web, {
    otherwise: 'an index in this process',
    help: 'the cluster that people are searched in',
  }),
  OVERTURE_FINDER_OPENSEARCH_USERNAME: text({ help: 'for the cluster' }),
  OVERTURE_FINDER_OPENSEARCH_PASSWORD: text({ secret: true, help: 'for the cluster' }),
  OVERTURE_FINDER_OPENSEARCH_PREFIX: text({ default: 'overture', help: 'what the names of its indices begin with' }),
  OVERTURE_FINDER_OPENSEARCH_SHARDS: integer({
    min: 1,
    max: 1000,
    default: '1',
    help: 'into how many parts an index is cut',
  }),
  STRIPE_SECRET_KEY: text({ secret: true, otherwise: 'nothing can be bought', help: 'selling credits' }),
  STRIPE_WEBHOOK_SECRET: text({ secret: true, help: "with it: what Stripe's notices are signed with" }),
  STRIPE_BASE_URL: url(web, { otherwise: "Stripe's own", help: 'where Stripe is reached' }),
}
