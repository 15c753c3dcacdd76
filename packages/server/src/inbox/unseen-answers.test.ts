import { describe, expect, test } from 'vitest'
import { inspectMessage } from './inspect.ts'

/** Answers of programs and of people in many languages, written down before the rules were tried on them. */
const inspect = (subject: string, headers: readonly string[], body: string) =>
  inspectMessage(
    Buffer.from(
      [
        'From: Ada <ada@there.test>',
        'To: sender@example.com',
        `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
        'Date: Mon, 02 Mar 2026 09:00:00 +0100',
        'Message-ID: <in@there.test>',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 8bit',
        ...headers,
        '',
        body,
      ].join('\r\n'),
    ),
  )
const threaded = ['In-Reply-To: <out@example.com>', 'References: <out@example.com>']
const outlook = ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All', ...threaded]
const sieve = ['Auto-Submitted: auto-replied (vacation)', 'Precedence: bulk', ...threaded]

type Automatic = [string, string, readonly string[], string, string | null]
const automatic: Automatic[] = [
  [
    'en, range',
    'Automatic reply: Hello',
    outlook,
    'I am on leave from 27 February to 13 March 2026. For urgent matters contact bob@there.test.',
    '2026-03-13',
  ],
  [
    'en, month first',
    'Automatic reply: Hello',
    outlook,
    'Thank you for your email. I will be back in the office on Monday, March 16th.',
    '2026-03-16',
  ],
  [
    'en, weekday',
    'Out of Office',
    [],
    'I am out of the office today and will return on Thursday. Limited access to email.',
    '2026-03-05',
  ],
  ['en, returning', 'OOO Re: Hello', sieve, 'Hi, I am on parental leave, returning April 7, 2026.', '2026-04-07'],
  [
    'en, no date',
    'Automatic reply: Hello',
    outlook,
    'I no longer work at There Ltd. Please write to info@there.test.',
    null,
  ],
  [
    'en, thanks',
    'Thank you for contacting us',
    ['Auto-Submitted: auto-replied'],
    'We have received your message and will get back to you within 2 business days.',
    null,
  ],
  [
    'en, ticket',
    '[#48213] We received your request',
    ['X-Autoreply: yes'],
    'Your request (48213) has been received.',
    null,
  ],
  [
    'de, bis einschließlich',
    'Automatische Antwort: Hallo',
    outlook,
    'Vielen Dank für Ihre Nachricht. Ich bin bis einschließlich Freitag, den 13.03.2026 im Urlaub. In dringenden Fällen wenden Sie sich an bob@there.test.',
    '2026-03-13',
  ],
  [
    'de, wieder da',
    'Abwesenheitsnotiz: Hallo',
    [],
    'Ich bin derzeit nicht im Büro und ab dem 9. März wieder für Sie erreichbar.',
    '2026-03-09',
  ],
  [
    'de, range',
    'Automatische Antwort: Hallo',
    outlook,
    'ich befinde mich vom 23.02. bis 06.03. im Urlaub. Ihre Mail wird nicht weitergeleitet.',
    '2026-03-06',
  ],
  ['de, KW', 'Abwesend: Hallo', sieve, 'Ich bin wieder am Mo, 16.3. im Haus.', '2026-03-16'],
  [
    'fr',
    'Réponse automatique : Bonjour',
    outlook,
    "Bonjour, je suis absent du bureau du 2 au 13 mars 2026 inclus. En cas d'urgence, contactez bob@there.test.",
    '2026-03-13',
  ],
  ['fr, retour', "Message d'absence", [], 'Actuellement en congés, je serai de retour le lundi 16 mars.', '2026-03-16'],
  [
    'es',
    'Respuesta automática: Hola',
    outlook,
    'Estoy de vacaciones y vuelvo el 16 de marzo. Para asuntos urgentes llame al 555.',
    '2026-03-16',
  ],
  [
    'es, hasta',
    'Fuera de la oficina',
    sieve,
    'Me encuentro fuera de la oficina hasta el próximo 20 de marzo de 2026.',
    '2026-03-20',
  ],
  ['it', 'Risposta automatica: Ciao', outlook, 'Sono fuori ufficio e rientrerò lunedì 16 marzo 2026.', '2026-03-16'],
  ['it, fino', 'Fuori sede', [], 'Sarò assente fino al giorno 13 marzo compreso.', '2026-03-13'],
  [
    'nl',
    'Automatisch antwoord: Hallo',
    outlook,
    'Ik ben afwezig tot en met vrijdag 13 maart. Voor dringende zaken kunt u mailen naar bob@there.test.',
    '2026-03-13',
  ],
  ['nl, vanaf', 'Afwezig', sieve, 'Vanaf 16 maart 2026 ben ik weer bereikbaar.', '2026-03-16'],
  ['pt', 'Resposta automática: Olá', outlook, 'Estou de férias, com regresso a 16 de março de 2026.', '2026-03-16'],
  [
    'pt-BR',
    'Resposta automática: Olá',
    outlook,
    'Estarei ausente até o dia 16/03/2026. Em caso de urgência, procure o Bob.',
    '2026-03-16',
  ],
  [
    'pl',
    'Odpowiedź automatyczna: Witam',
    outlook,
    'Jestem na urlopie do 13 marca 2026 r. W pilnych sprawach proszę o kontakt z bob@there.test.',
    '2026-03-13',
  ],
  ['pl, wracam', 'Autoodpowiedź: Witam', sieve, 'Wracam do biura 16.03.2026.', '2026-03-16'],
  [
    'sv',
    'Autosvar: Hej',
    outlook,
    'Jag är på semester t.o.m. 13 mars och är tillbaka måndag den 16 mars.',
    '2026-03-16',
  ],
  ['da', 'Automatisk svar: Hej', outlook, 'Jeg er på ferie til og med fredag den 13. marts 2026.', '2026-03-13'],
  ['no', 'Automatisk svar: Hei', outlook, 'Jeg er tilbake på kontoret mandag 16. mars.', '2026-03-16'],
  [
    'fi',
    'Automaattinen vastaus: Hei',
    outlook,
    'Olen lomalla 13.3.2026 asti. Palaan töihin maanantaina 16.3.2026.',
    '2026-03-16',
  ],
  ['cs', 'Automatická odpověď: Dobrý den', outlook, 'Jsem na dovolené do 13. března 2026.', '2026-03-13'],
  ['hu', 'Automatikus válasz: Üdv', outlook, 'Szabadságon vagyok 2026. március 13-ig.', '2026-03-13'],
  ['tr', 'Otomatik yanıt: Merhaba', outlook, '13 Mart 2026 tarihine kadar izinliyim.', '2026-03-13'],
  [
    'ru',
    'Автоматический ответ: Здравствуйте',
    outlook,
    'Я в отпуске до 13 марта 2026 г. По срочным вопросам пишите bob@there.test.',
    '2026-03-13',
  ],
  ['uk', 'Автовідповідь: Вітаю', outlook, 'Я у відпустці до 13 березня.', '2026-03-13'],
  [
    'ja',
    '自動返信: こんにちは',
    outlook,
    '3月13日（金）まで休暇をいただいております。お急ぎの方は下記までご連絡ください。',
    '2026-03-13',
  ],
  ['ja, from', '不在通知', [], '2026年3月16日より出社いたします。', '2026-03-16'],
  ['zh', '自动回复: 您好', outlook, '您好，我正在休假，将于3月16日返回办公室。', '2026-03-16'],
  ['zh-TW', '自動回覆: 您好', outlook, '我在 3/2 至 3/13 期間休假。', '2026-03-13'],
  [
    'ko',
    '자동 회신: 안녕하세요',
    outlook,
    '3월 13일까지 휴가입니다. 급한 용무는 bob@there.test 로 연락 바랍니다.',
    '2026-03-13',
  ],
  [
    'Gmail',
    'Out of office Re: Hello',
    ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes', ...threaded],
    'Away until 3/13 (with no email).',
    '2026-03-13',
  ],
  [
    'Domino',
    'Ada is out of the office',
    ['X-Mailer: Lotus Domino Web Server Release 12', 'Auto-Submitted: auto-generated'],
    'I will be out of the office starting 02/27/2026 and will not return until 03/13/2026.',
    '2026-03-13',
  ],
  [
    'qmail vacation',
    'Re: Hello',
    ['Delivered-To: Autoresponder', 'Precedence: junk', 'Return-Path: <>'],
    'I am away.',
    null,
  ],
  [
    'unthreaded program of old',
    'Auto: Hello',
    [],
    'This is an automatic reply. I am on holiday until 13 Mar 2026.',
    '2026-03-13',
  ],
]

describe('a program answered', () => {
  test.each(automatic)('%s', (_, subject, headers, body, awayUntil) => {
    expect(inspect(subject, headers, body)).toMatchObject({ kind: 'auto_reply', bounces: [], awayUntil })
  })
})

describe('a person answered', () => {
  test.each([
    ['I was out of the office until yesterday, sorry for the late answer. Tuesday works.'],
    ['Danke! Ich bin bis Freitag im Urlaub, danach gerne.'],
    ['Sounds good, I am back from vacation on Monday, call me then.'],
    ['Please contact my colleague bob@there.test, he is responsible.'],
    ['Je suis en congé la semaine prochaine, pouvons-nous parler le 16 mars ?'],
    ['No longer with the purchasing team, Bob is your man.'],
  ])('%s', (body) => {
    expect(inspect('Re: Hello', threaded, body)).toMatchObject({ kind: 'reply' })
  })
})

const optOuts = [
  'Please take me off this list',
  'pls remove',
  'remove me please',
  'Kindly remove my email address from your database.',
  'Not interested. Please do not contact me again.',
  'I would like to be removed from your mailing list.',
  'Please delete all my data and never contact me again (GDPR).',
  'UNSUBSCRIBE ME NOW!!!',
  'Stop spamming me',
  'Opt out',
  'Hi Bob, we are not interested, please stop sending these emails. Regards, Ada',
  'Lose my email address.',
  'I do not wish to receive any further emails from you.',
  'bitte austragen',
  'Bitte nehmen Sie mich aus dem Verteiler. MfG',
  'Ich möchte keine weiteren E-Mails von Ihnen erhalten.',
  'Bitte kontaktieren Sie uns nicht mehr.',
  'Hiermit widerspreche ich der Verwendung meiner Daten zu Werbezwecken.',
  'Kein Interesse, bitte streichen Sie mich von Ihrer Liste.',
  'Unterlassen Sie bitte weitere Mails.',
  'Merci de ne plus me contacter.',
  'Merci de me retirer de votre liste de diffusion.',
  'Veuillez me désabonner',
  'Je ne souhaite plus recevoir vos mails.',
  'Arrêtez de m’envoyer des mails',
  'Supprimez mon adresse de votre base de données svp',
  'Por favor elimínenme de su lista.',
  'Solicito la baja de mi correo en su base de datos',
  'No quiero recibir más correos suyos',
  'Dejen de enviarme correos',
  'Quiero darme de baja',
  'Vi prego di cancellarmi dalla mailing list',
  'Non desidero più ricevere le vostre comunicazioni.',
  'Per favore non scrivetemi più',
  'Cancellatemi',
  'Gelieve mij uit te schrijven',
  'Ik wil geen mails meer ontvangen',
  'Wilt u mij uit uw bestand verwijderen?',
  'Stop met mailen',
  'Por favor remova meu email da sua lista',
  'Não me enviem mais emails',
  'Peço que me retirem da vossa lista',
  'Descadastrar',
  'Proszę o usunięcie mnie z listy mailingowej',
  'Proszę nie wysyłać do mnie więcej wiadomości',
  'Wypiszcie mnie',
  'Nie życzę sobie takich maili',
  'Ta bort mig från er lista tack',
  'Vänligen sluta mejla mig',
  'Jag vill inte ha fler mejl',
  'Venligst slet mig fra jeres liste',
  'Jeg ønsker ikke at modtage flere mails',
  'Afmeld mig venligst',
  'Vennligst fjern meg fra listen',
  '今後メールを送らないでください。',
  '配信を停止してください',
  '不要なのでリストから削除をお願いします。',
  '请不要再给我发邮件了',
  '請將我從名單中移除',
  '取消订阅',
  'Больше не присылайте мне письма',
  'Удалите меня из рассылки',
]
const noOptOuts = [
  'Not interested right now, maybe next year.',
  'No thanks.',
  'Please remove the attachment, our filter blocks it, and send again.',
  'Can you stop by on Tuesday?',
  'Do not contact me before Monday, I am travelling.',
  'How do your customers unsubscribe? We need that for GDPR.',
  'I deleted your first mail by mistake, can you send it again?',
  'We would like to cancel our subscription with your competitor first, then talk.',
  'Please take me off the waiting list and book me in for Tuesday.',
  'Never received your mail about pricing, please resend.',
  'Our list is full, but we could remove one item to make room.',
  'We stop all projects in March, contact me in April.',
  'Ich bin nicht zuständig, bitte wenden Sie sich an Herrn Müller.',
  'Kein Interesse, danke.',
  'Bitte senden Sie mir keine Anhänge, sondern einen Link.',
  'Können wir uns abmelden, wenn der Testzeitraum vorbei ist?',
  'Je ne suis plus en charge de ce sujet, contactez Bob.',
  'Pas intéressé pour le moment.',
  "N'hésitez pas à m'envoyer plus de détails.",
  'No estoy interesado, gracias.',
  'Deje que lo consulte con mi equipo y le escribo.',
  'Non sono io la persona giusta, scrivete a Bob.',
  'Geen interesse op dit moment.',
  'Kunt u mij meer informatie mailen?',
  'Não tenho interesse no momento.',
  'Proszę o kontakt w przyszłym tygodniu.',
  'Inte intresserad just nu, hör av er i höst.',
  'Ikke interesseret lige nu.',
  '現在は必要ありません。',
  '目前不需要，谢谢。',
  'Сейчас неинтересно, напишите осенью.',
]

describe('an opt-out', () => {
  test.each(optOuts)('%s', (words) => {
    expect(inspect('Re: Hello', threaded, words).kind).toBe('unsubscribe')
  })
})

describe('no opt-out', () => {
  test.each(noOptOuts)('%s', (words) => {
    expect(inspect('Re: Hello', threaded, words).kind).toBe('reply')
  })
})
