/** The names of months and weekdays in one language, in lower case. */
export interface DateNames {
  /** From January to December, in one line or two, with commas. `|` separates spellings of the same month. */
  months: readonly string[]
  /** From Monday to Sunday, in the same form. */
  weekdays?: string
}

export const dateNames: Readonly<Record<string, DateNames>> = {
  English: {
    months: [
      'january|jan, february|feb, march|mar, april|apr, may, june|jun',
      'july|jul, august|aug, september|sept|sep, october|oct, november|nov, december|dec',
    ],
    weekdays: 'monday|mon, tuesday|tues|tue, wednesday|wed, thursday|thurs|thu, friday|fri, saturday|sat, sunday|sun',
  },
  German: {
    months: [
      'januar|jänner|jan, februar|feb, märz|mär|mrz, april|apr, mai, juni|jun',
      'juli|jul, august|aug, september|sept|sep, oktober|okt, november|nov, dezember|dez',
    ],
    weekdays: 'montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag',
  },
  French: {
    months: [
      'janvier|janv, février|févr|fév, mars, avril|avr, mai, juin',
      'juillet|juil, août|aout, septembre|sept, octobre|oct, novembre|nov, décembre|déc',
    ],
    weekdays: 'lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche',
  },
  Spanish: {
    months: [
      'enero|ene, febrero|feb, marzo|mar, abril|abr, mayo|may, junio|jun',
      'julio|jul, agosto|ago, septiembre|sept|sep, octubre|oct, noviembre|nov, diciembre|dic',
    ],
    weekdays: 'lunes, martes, miércoles, jueves, viernes, sábado, domingo',
  },
  Italian: {
    months: [
      'gennaio|gen, febbraio|feb, marzo|mar, aprile|apr, maggio|mag, giugno|giu',
      'luglio|lug, agosto|ago, settembre|set, ottobre|ott, novembre|nov, dicembre|dic',
    ],
    weekdays: 'lunedì|lunedi, martedì|martedi, mercoledì|mercoledi, giovedì|giovedi, venerdì|venerdi, sabato, domenica',
  },
  Portuguese: {
    months: [
      'janeiro|jan, fevereiro|fev, março|mar, abril|abr, maio|mai, junho|jun',
      'julho|jul, agosto|ago, setembro|set, outubro|out, novembro|nov, dezembro|dez',
    ],
    weekdays: 'segunda, terça, quarta, quinta, sexta, sábado, domingo',
  },
  Catalan: {
    months: ['gener, febrer, març, abril, maig, juny', 'juliol, agost, setembre, octubre, novembre, desembre'],
  },
  Romanian: {
    months: [
      'ianuarie, februarie, martie, aprilie, mai, iunie',
      'iulie, august, septembrie, octombrie, noiembrie, decembrie',
    ],
  },
  Dutch: {
    months: [
      'januari|jan, februari|feb, maart|mrt, april|apr, mei, juni|jun',
      'juli|jul, augustus|aug, september|sept|sep, oktober|okt, november|nov, december|dec',
    ],
    weekdays: 'maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag',
  },
  Swedish: {
    months: [
      'januari|jan, februari|feb, mars, april|apr, maj, juni|jun',
      'juli|jul, augusti|aug, september|sep, oktober|okt, november|nov, december|dec',
    ],
    weekdays: 'måndag, tisdag, onsdag, torsdag, fredag, lördag, söndag',
  },
  Danish: {
    months: [
      'januar|jan, februar|feb, marts|mar, april|apr, maj, juni|jun',
      'juli|jul, august|aug, september|sep, oktober|okt, november|nov, december|dec',
    ],
    weekdays: 'mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag',
  },
  Norwegian: {
    months: [
      'januar|jan, februar|feb, mars, april|apr, mai, juni|jun',
      'juli|jul, august|aug, september|sep, oktober|okt, november|nov, desember',
    ],
    weekdays: 'mandag, tirsdag, onsdag, torsdag, fredag, lørdag, søndag',
  },
  Icelandic: {
    months: ['janúar, febrúar, mars, apríl, maí, júní', 'júlí, ágúst, september, október, nóvember, desember'],
  },
  Finnish: {
    months: [
      'tammikuu|tammikuuta, helmikuu|helmikuuta, maaliskuu|maaliskuuta, huhtikuu|huhtikuuta, toukokuu|toukokuuta, kesäkuu|kesäkuuta',
      'heinäkuu|heinäkuuta, elokuu|elokuuta, syyskuu|syyskuuta, lokakuu|lokakuuta, marraskuu|marraskuuta, joulukuu|joulukuuta',
    ],
    weekdays: 'maanantaina, tiistaina, keskiviikkona, torstaina, perjantaina, lauantaina, sunnuntaina',
  },
  Estonian: {
    months: [
      'jaanuar|jaanuaril, veebruar|veebruaril, märts|märtsil, aprill|aprillil, mai, juuni|juunil',
      'juuli|juulil, august|augustil, september|septembril, oktoober|oktoobril, november|novembril, detsember|detsembril',
    ],
  },
  Latvian: {
    months: [
      'janvāris|janvārim, februāris|februārim, marts|martam, aprīlis|aprīlim, maijs|maijam, jūnijs|jūnijam',
      'jūlijs|jūlijam, augustam, septembris|septembrim, oktobris|oktobrim, novembris|novembrim, decembris|decembrim',
    ],
  },
  Lithuanian: {
    months: [
      'sausio, vasario, kovo, balandžio, gegužės, birželio',
      'liepos, rugpjūčio, rugsėjo, spalio, lapkričio, gruodžio',
    ],
  },
  Polish: {
    months: [
      'stycznia|styczeń, lutego|luty, marca|marzec, kwietnia, maja|maj, czerwca',
      'lipca, sierpnia, września, października, listopada, grudnia',
    ],
    weekdays: 'poniedziałku|poniedziałek, wtorku, środy, czwartku, piątku, soboty, niedzieli',
  },
  Czech: {
    months: ['ledna, února, března, dubna, května, června', 'července, srpna, září, října, listopadu, prosince'],
    weekdays: 'pondělí, úterý, středy, čtvrtka, pátku, soboty, neděle',
  },
  Slovak: {
    months: [
      'januára|január, februára|február, marca, apríla|apríl, mája, júna',
      'júla, augusta, septembra, októbra|október, novembra, decembra',
    ],
  },
  Slovenian: {
    months: [
      'januarja, februarja, marca, aprila, maja, junija',
      'julija, avgusta, septembra, oktobra, novembra, decembra',
    ],
  },
  Croatian: {
    months: [
      // Without October: "listopada" is November in Polish, which more people write.
      'siječnja, veljače, ožujka, travnja, svibnja, lipnja',
      'srpnja, kolovoza, rujna, , studenoga, prosinca',
    ],
  },
  Serbian: {
    months: [
      'januara|јануара, februara|фебруара, marta|mart|марта|март, aprila|априла, maja|маја, juna|јуна',
      'jula|јула, avgusta|августа, septembra|септембра, oktobra|октобра, novembra|новембра, decembra|децембра',
    ],
  },
  Albanian: { months: ['janar'] },
  Bulgarian: {
    months: ['януари, февруари, март, април, май, юни', 'юли, август, септември, октомври, ноември, декември'],
  },
  Russian: {
    months: ['января, февраля, марта, апреля, мая, июня', 'июля, августа, сентября, октября, ноября, декабря'],
    weekdays: 'понедельник, вторник, среду, четверг, пятницу, субботу, воскресенье',
  },
  Ukrainian: {
    months: ['січня, лютого, березня, квітня, травня, червня', 'липня, серпня, вересня, жовтня, листопада, грудня'],
    weekdays: 'понеділок',
  },
  Hungarian: {
    months: [
      'január, február, március, április, május, június',
      'július, augusztus, szeptember, október, november, december',
    ],
  },
  Greek: {
    months: [
      'ιανουαρίου, φεβρουαρίου, μαρτίου, απριλίου, μαΐου, ιουνίου',
      'ιουλίου, αυγούστου, σεπτεμβρίου, οκτωβρίου, νοεμβρίου, δεκεμβρίου',
    ],
  },
  Turkish: {
    months: ['ocak, şubat, mart, nisan, mayıs, haziran', 'temmuz, ağustos, eylül, ekim, kasım, aralık'],
  },
  Arabic: {
    months: [
      'يناير|كانون الثاني, فبراير|شباط, مارس|آذار, أبريل|ابريل|نيسان, مايو|أيار, يونيو|حزيران',
      'يوليو|تموز, أغسطس|اغسطس|آب, سبتمبر|أيلول, أكتوبر|اكتوبر|تشرين الأول, نوفمبر|تشرين الثاني, ديسمبر|كانون الأول',
    ],
  },
  Hebrew: {
    months: [
      'ינואר|בינואר, פברואר|בפברואר, מרץ|מרס|במרץ|במרס, אפריל|באפריל, מאי|במאי, יוני|ביוני',
      'יולי|ביולי, אוגוסט|באוגוסט, ספטמבר|בספטמבר, אוקטובר|באוקטובר, נובמבר|בנובמבר, דצמבר|בדצמבר',
    ],
  },
  Thai: {
    months: [
      'มกราคม|มค, กุมภาพันธ์|กพ, มีนาคม|มีค, เมษายน|เมย, พฤษภาคม|พค, มิถุนายน|มิย',
      'กรกฎาคม|กค, สิงหาคม|สค, กันยายน|กย, ตุลาคม|ตค, พฤศจิกายน|พย, ธันวาคม|ธค',
    ],
  },
  Hindi: {
    months: ['जनवरी, फरवरी, मार्च, अप्रैल, मई, जून', 'जुलाई, अगस्त, सितंबर, अक्टूबर, नवंबर, दिसंबर'],
  },
  Indonesian: {
    months: ['januari, februari, maret, april, mei, juni', 'juli, agustus, september, oktober, november, desember'],
  },
}
