import { expect, test } from 'vitest'
import { customVariables } from '@overture/contract/campaigns/lead-fields.ts'
import { columnTarget, readHeader, rowToLead, toImportColumns } from './import-columns.ts'

const long = 'What would have to be true for you to change your provider within the next twelve months'

test('every titled column is kept under a valid and unique variable name', () => {
  const header = [
    'E-mail',
    'Piętro',
    'Plan',
    'Город',
    '',
    'Имя (RU)',
    'Фамилия (RU)',
    'plan',
    'Plan',
    '2nd',
    long,
    `${long}?`,
  ]
  const names = readHeader(header).map((column) => column?.name)
  expect(names.slice(0, 10)).toEqual([
    'email',
    'Pietro',
    'Plan',
    'column4',
    'column5',
    'RU',
    'RU2',
    'plan',
    'Plan2',
    '_2nd',
  ])
  const lead = rowToLead(readHeader(header), header.map(String))
  expect(Object.keys(lead['customVariables'] as object)).toHaveLength(header.length - 2)
  expect(customVariables.safeParse(lead['customVariables'])).toMatchObject({ success: true })
})

test.each([
  ['E-Mail Adresse', 'Vorname', 'Nachname', 'Firma', 'Position', 'Stadt', 'Zeitzone'],
  ['Adresse e-mail', 'Prénom', 'Nom', 'Entreprise', 'Poste', 'Ville', 'Fuseau horaire'],
  ['Correo electrónico', 'Nombre', 'Apellidos', 'Empresa', 'Cargo', 'Ciudad', 'Zona horaria'],
  ['Indirizzo email', 'Nome', 'Cognome', 'Azienda', 'Ruolo', 'Città', 'Fuso orario'],
  ['E-mail', 'Primeiro nome', 'Sobrenome', 'Empresa', 'Cargo', 'Cidade', 'Fuso horário'],
  ['E-mailadres', 'Voornaam', 'Achternaam', 'Bedrijf', 'Functie', 'Plaats', 'Tijdzone'],
  ['Adres e-mail', 'IMIĘ', 'Nazwisko', 'Nazwa firmy', 'Stanowisko', 'Miasto', 'Strefa czasowa'],
  ['E-postadress', 'Förnamn', 'Efternamn', 'Företag', 'Befattning', 'Ort', 'Tidszon'],
  ['E-mailadresse', 'Fornavn', 'Efternavn', 'Virksomhed', 'Stilling', 'By', 'Tidszone'],
])('columns titled %s, %s, %s and so on are known', (...header) => {
  const names = readHeader(header).map((column) => column?.name)
  expect(names).toEqual(['email', 'firstName', 'lastName', 'company', 'jobTitle', 'city', 'timezone'])
})

test('a title that names a property of every object is a variable', () => {
  const header = ['email', 'Constructor', 'toString', 'constructor', '__proto__']
  const columns = readHeader(header)
  expect(columns).toEqual([
    { kind: 'field', name: 'email' },
    { kind: 'variable', name: 'Constructor' },
    { kind: 'variable', name: 'toString' },
    { kind: 'variable', name: 'constructor2' },
    { kind: 'variable', name: '__proto__2' },
  ])
  const { customVariables: variables } = rowToLead(columns, ['ada@example.com', '1', '2', '3', '4'])
  expect(variables).toEqual({ Constructor: '1', toString: '2', constructor2: '3', __proto__2: '4' })
})

test.each([
  [
    ['Work email', 'Title', 'Email', 'Position', 'Phone', 'mobile', 'Domain', 'Website'],
    ['WorkEmail', 'jobTitle', 'email', 'Position', 'Phone', 'mobile', 'companyDomain', 'Website'],
  ],
  [
    ['email', 'email', 'First name', 'firstName', 'FIRSTNAME', 'Vorname'],
    ['email', 'email2', 'firstName', 'firstName2', 'FIRSTNAME', 'Vorname'],
  ],
])('of the columns %j one is the field, and the others are variables', (header, expected) => {
  expect(readHeader(header).map((column) => column?.name)).toEqual(expected)
})

test('a title in another language is a variable if another column is that field', () => {
  expect(readHeader(['Firma', 'Company', 'Firma'])).toEqual([
    { kind: 'variable', name: 'Firma' },
    { kind: 'field', name: 'company' },
    { kind: 'variable', name: 'Firma2' },
  ])
})

test.each([
  ['true', true],
  ['Yes', true],
  ['1', true],
  ['FALSE', false],
  ['no', false],
  ['0', false],
  ['maybe', 'maybe'],
])('reads %s in the column of the consent as %s', (cell, trackingConsent) => {
  const columns = readHeader(['Email', 'tracking_consent'])
  expect(rowToLead(columns, ['ada@acme.test', cell])).toEqual({ email: 'ada@acme.test', trackingConsent })
})

test('a file that was exported has the same fields and variables again, and its ids and times are left out', () => {
  const header = ['listId', 'email', 'firstName', 'customVariables.plan', 'addedAt', 'companyDomain', '*']
  const columns = readHeader(header)
  expect(columns.map((column) => column?.kind ?? null)).toEqual([
    null,
    'field',
    'field',
    'variable',
    null,
    'field',
    'rest',
  ])
  const rest = JSON.stringify({ 'customVariables.late': "'=1+1", addedBy: 'usr_1' })
  const row = ['lst_1', 'ada@example.com', "'=Ada", 'gold', '2026-11-29T10:00:00.000Z', 'example.com', rest]
  expect(rowToLead(columns, row)).toEqual({
    email: 'ada@example.com',
    firstName: '=Ada',
    companyDomain: 'example.com',
    customVariables: { plan: 'gold', late: '=1+1' },
  })
  expect(rowToLead(columns, [...row.slice(0, -1), 'no object'])['*']).toBe('no object')
})

test('a column titled like a variable is that variable, and another column does not take its name', () => {
  expect(readHeader(['email', 'Plan', 'customVariables.Plan']).map((column) => column?.name)).toEqual([
    'email',
    'Plan2',
    'Plan',
  ])
})

test('a title like a variable is one if its name is valid and free', () => {
  const titles = ['plan', 'plan', 'constructor', '__proto__', 'x'.repeat(65)].map((name) => `customVariables.${name}`)
  const [, first, second, ...others] = readHeader(['email', ...titles]).map((column) => column?.name)
  expect([first, second]).toEqual(['plan', 'customVariablesPlan'])
  expect(customVariables.safeParse(Object.fromEntries(others.map((name) => [name, ''])))).toMatchObject({
    success: true,
  })
  expect(new Set(others).size).toBe(3)
})

test('untitled columns are the same variables in the file of refused rows', () => {
  const header = ['email', '', '日本']
  const names = readHeader(header).map((column) => column?.name)
  expect(names).toEqual(['email', 'column2', 'column3'])
  const again = readHeader(['row', 'reason', ...header]).map((column) => column?.name)
  expect(again).toEqual([undefined, undefined, ...names])
})

test('the targets of an exported file read it as it is', () => {
  const columns = readHeader(['email', 'firstName', 'addedAt', '*'])
  expect(columns.map(columnTarget)).toEqual(['email', 'firstName', null, '*'])
  expect(toImportColumns(columns.map(columnTarget))).toEqual(columns)
})
