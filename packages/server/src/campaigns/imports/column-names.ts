/** Titles of columns in nine languages besides English, per field of a lead. */
const titles: Record<string, string> = {
  email: `E-Mail-Adresse, Mailadresse, Adresse e-mail, Adresse mail, Courriel, Correo, Correo electrónico, Dirección de correo,
    Indirizzo email, Indirizzo e-mail, Endereço de e-mail, E-mailadres, Adres e-mail, E-postadress, E-post, E-mailadresse`,
  firstName: 'Vorname, Prénom, Nombre, Nome, Primeiro nome, Nome próprio, Voornaam, Imię, Förnamn, Fornavn',
  lastName: `Nachname, Familienname, Nom, Nom de famille, Apellido, Apellidos, Cognome, Apelido, Sobrenome, Último nome, Achternaam,
    Nazwisko, Efternamn, Efternavn`,
  jobTitle: `Berufsbezeichnung, Funktion, Poste, Fonction, Cargo, Puesto, Ruolo, Qualifica, Posizione, Functie, Functietitel,
    Stanowisko, Befattning, Stilling`,
  company: `Firma, Firmenname, Unternehmen, Entreprise, Société, Empresa, Azienda, Società, Bedrijf, Bedrijfsnaam, Nazwa firmy,
    Företag, Virksomhed`,
  companyDomain: `Webseite, Domäne, Site web, Site internet, Sitio web, Sito, Sito web, Site, Strona internetowa, Domena, Webbplats,
    Hemsida, Hjemmeside`,
  mobile: `Handy, Handynummer, Mobil, Mobilnummer, Mobiltelefon, Telefon, Telefonnummer, Portable, Téléphone, Móvil, Teléfono, Cellulare,
    Telefono, Telemóvel, Celular, Telefone, Mobiel, Telefoon, Telefoonnummer, Komórka, Telefon komórkowy`,
  country: 'Land, Pays, País, Paese, Kraj',
  city: 'Stadt, Ort, Ville, Ciudad, Città, Cidade, Stad, Plaats, Miasto, By',
  timezone:
    'Zeitzone, Fuseau horaire, Zona horaria, Fuso orario, Fuso horário, Tijdzone, Strefa czasowa, Tidszon, Tidszone',
}

const fieldByTitle = new Map(
  Object.entries(titles).flatMap(([field, names]) => names.split(',').map((name) => [plain(name), field] as const)),
)

/** The field that a title in another language means. */
export function foreignField(title: string): string | undefined {
  return fieldByTitle.get(plain(title))
}

/** Letters only, without case and accents. */
function plain(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
}
