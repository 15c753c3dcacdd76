/** A reply, an opt-out and an automatic note per script. The words are invented. */
export const texts = {
  simplified: [
    '好的，下周二下午三点可以通电话。',
    '请不要再给我发邮件了，谢谢。',
    '自动回复：我正在休假，3月16日回来。',
  ],
  traditional: ['好的，下週二下午三點可以通電話。', '請不要再寄信給我，謝謝。', '自動回覆：我正在休假，3月16日回來。'],
  japanese: [
    'はい、来週の火曜日にお電話ください。',
    '今後メールの送信を停止してください。',
    '自動返信：休暇中です。3月16日に戻ります。',
  ],
  vendor: [
    '担当の髙橋です。①の件、㈱東までﾃﾞﾝﾜください。',
    'ﾒｰﾙの配信を停止して下さい。㈱東 髙橋',
    '自動応答：不在です。ﾒｰﾙは3月16日に見ます。',
  ],
  halfWidth: ['ﾊｲ、来週ﾃﾞﾝﾜください。', 'ﾒｰﾙの配信を停止してください。', '自動返信：ｷｭｳｶ中です。'],
  supplementary: [
    '侂です。来週お電話ください。',
    '侂です。メールの配信を停止してください。',
    '自動返信：侂です。休暇中です。',
  ],
  korean: [
    '네, 다음 주 화요일 오후에 통화해요.',
    '더 이상 메일을 보내지 마세요.',
    '자동 응답: 휴가 중이며 3월 16일에 돌아옵니다.',
  ],
  unified: [
    '똠방입니다. 다음 주에 통화해요.',
    '똠방입니다. 메일을 보내지 마세요.',
    '자동 응답: 똠방입니다. 휴가 중입니다.',
  ],
  russian: ['Да, позвоните мне во вторник.', 'Пожалуйста, больше не пишите мне.', 'Автоматический ответ: я в отпуске.'],
  ukrainian: [
    'Так, зателефонуйте у вівторок.',
    'Будь ласка, більше не пишіть мені.',
    'Автоматична відповідь: я у відпустці.',
  ],
  polish: [
    'Tak, proszę o telefon. Dziękuję, Łucja',
    'Proszę więcej do mnie nie pisać.',
    'Automatyczna odpowiedź: jestem na urlopie.',
  ],
  german: [
    'Ja, gern – schöne Grüße',
    'Bitte schreiben Sie mir nicht mehr für immer.',
    'Automatische Antwort: ab März zurück – Grüße',
  ],
  greek: ['Ναι, ας μιλήσουμε την Τρίτη.', 'Παρακαλώ μην μου ξαναστείλετε.', 'Αυτόματη απάντηση: απουσιάζω.'],
  turkish: [
    'Evet, salı günü görüşebiliriz. Işıl',
    'Lütfen bana bir daha yazmayın.',
    'Otomatik yanıt: şu an izindeyim.',
  ],
  hebrew: ['כן, נדבר ביום שלישי אחר הצהריים.', 'אנא הסירו אותי מרשימת התפוצה.', 'מענה אוטומטי: אני בחופשה.'],
  arabic: ['نعم، لنتحدث يوم الثلاثاء.', 'يرجى إزالتي من قائمتكم البريدية.', 'رد تلقائي: أنا في إجازة.'],
  lithuanian: [
    'Taip, paskambinkite antradienį. Ačiū, Žydrūnė',
    'Prašau man daugiau nerašyti.',
    'Automatinis atsakymas: grįšiu rytoj.',
  ],
  thai: ['ได้ค่ะ โทรหาฉันวันอังคาร', 'กรุณาอย่าส่งอีเมลถึงฉันอีก', 'ตอบกลับอัตโนมัติ: ฉันลาพักร้อน'],
} as const

interface CharsetSample {
  charset: string
  script: keyof typeof texts
  /** The samples are in the order of the texts. */
  bytes: Buffer[]
}

/** The texts in every charset, in base64. The codecs of CPython made them, which share no table with the decoders here. */
const encoded = `
gb2312 simplified
usO1xKOsz8LW3Lb+z8LO58j9teO/ydLUzai157uwoaM=
x+uyu9Kq1Nm4+M7St6LTyrz+wcujrNC70Luhow==
19S2r7vYuLSjus7S1f3U2tDdvNmjrDPUwjE2yNW72MC0oaM=
gbk simplified
usO1xKOsz8LW3Lb+z8LO58j9teO/ydLUzai157uwoaM=
x+uyu9Kq1Nm4+M7St6LTyrz+wcujrNC70Luhow==
19S2r7vYuLSjus7S1f3U2tDdvNmjrDPUwjE2yNW72MC0oaM=
gb18030 simplified
usO1xKOsz8LW3Lb+z8LO58j9teO/ydLUzai157uwoaM=
x+uyu9Kq1Nm4+M7St6LTyrz+wcujrNC70Luhow==
19S2r7vYuLSjus7S1f3U2tDdvNmjrDPUwjE2yNW72MC0oaM=
hz-gb-2312 simplified
fns6QzVEIyxPQlZcNn5PQk5nSH01Yz9JUlRNKDVnOzAhI359
fntHazI7UipUWTh4TlI3IlNKPH5BSyMsUDtQOyEjfn0=
fntXVDYvO1g4NCM6TlJVfVRaUF08WSMsfn0zfntUQn59MTZ+e0hVO1hANCEjfn0=
big5 traditional
pm6quqFBpFW2Z6RHpFWkyKRUwkmlaaVIs3G5cbjcoUM=
vdCko61upkGxSKtItbmn2qFBwcLBwqFD
ptuwyqZewtChR6fapb+mYqXwsLKhQTOk6zE2pOmmXqjToUM=
big5-hkscs traditional
pm6quqFBpFW2Z6RHpFWkyKRUwkmlaaVIs3G5cbjcoUM=
vdCko61upkGxSKtItbmn2qFBwcLBwqFD
ptuwyqZewtChR6fapb+mYqXwsLKhQTOk6zE2pOmmXqjToUM=
shift_jis japanese
gs2CooFBl4iPVILMic6XapP6gsmCqJNkmGKCrYK+grOCooFC
jaGM44OBgVuDi4LMkZeQTYLwkuKOfoK1gsSCrYK+grOCooFC
jqmTrpXUkE2BRot4icmShoLFgreBQjOMjjE2k/qCyZbfguiC3IK3gUI=
windows-31j vendor
klOTloLM7uCLtILFgreBQodAgsyMj4FBh4qTjILcgsXD3t3cgq2CvoKzgqKBQg==
0rDZgsyUepBNgvCS4o5+grWCxIm6grOCooFCh4qTjCDu4Iu0
jqmTromek5qBRpVzjd2CxYK3gULSsNmCzTOMjjE2k/qCyYypgtyCt4FC
euc-jp japanese
pM+kpKGizei9taTOstDNy8b8pMukqsXFz8Okr6TApLWkpKGj
uqO45aXhobyl66TOwfe/rqTyxOS736S3pMakr6TApLWkpKGj
vKvGsMrWv66hp7XZssvD5qTHpLmhozO37jE2xvyky8zhpOqk3qS5oaM=
euc-jp supplementary
j7D9pMekuaGjzei9taSqxcXPw6SvpMCktaSkoaM=
j7D9pMekuaGjpeGhvKXrpM7H27+upPLE5LvfpLekxqSvpMCktaSkoaM=
vKvGsMrWv66hp4+w/aTHpLmho7XZssvD5qTHpLmhow==
iso-2022-jp japanese
GyRCJE8kJCEiTWg9NSROMlBNS0Z8JEskKkVFT0MkLyRAJDUkJCEjGyhC
GyRCOiM4ZSVhITwlayROQXc/LiRyRGQ7XyQ3JEYkLyRAJDUkJCEjGyhC
GyRCPCtGMEpWPy4hJzVZMktDZiRHJDkhIxsoQjMbJEI3bhsoQjE2GyRCRnwkS0xhJGokXiQ5ISMbKEI=
iso-2022-jp halfWidth
GyhJSjIbJEIhIk1oPTUbKElDXl1cGyRCJC8kQCQ1JCQhIxsoQg==
GyhJUjBZGyRCJE5HWz8uJHJEZDtfJDckRiQvJEAkNSQkISMbKEI=
GyRCPCtGMEpWPy4hJxsoSTctMzYbJEJDZiRHJDkhIxsoQg==
iso-2022-jp-1 supplementary
GyQoRDB9GyRCJEckOSEjTWg9NSQqRUVPQyQvJEAkNSQkISMbKEI=
GyQoRDB9GyRCJEckOSEjJWEhPCVrJE5HWz8uJHJEZDtfJDckRiQvJEAkNSQkISMbKEI=
GyRCPCtGMEpWPy4hJxskKEQwfRskQiRHJDkhIzVZMktDZiRHJDkhIxsoQg==
euc-kr korean
s9csILTZwL0gwdYgyK2/5MDPIL/AyMS/oSDF68itx9i/5C4=
tPUgwMy78yC43sDPwLsgurizu8H2ILi2vLy/5C4=
wNq1vyDAwLTkOiDI3rChIMHfwMy45yAzv/kgMTbAz7+hILW5vsa/ybTPtNku
ks_c_5601-1987 unified
jGO55sDUtM+02S4gtNnAvSDB1r+hIMXryK3H2L/kLg==
jGO55sDUtM+02S4guN7Az8C7ILq4s7vB9iC4try8v+Qu
wNq1vyDAwLTkOiCMY7nmwNS0z7TZLiDI3rChIMHfwNS0z7TZLg==
iso-2022-kr korean
GyQpQw4zVw8sIA40WUA9DyAOQVYPIA5ILT9kQE8PIA4/QEhEPyEPIA5Fa0gtR1g/ZA8u
GyQpQw40dQ8gDkBMO3MPIA44XkBPQDsPIA46ODM7QXYPIA44Njw8P2QPLg==
GyQpQw5AWjU/DyAOQEA0ZA86IA5IXjAhDyAOQV9ATDhnDyAzDj95DyAxNg5ATz8hDyAONTk+Rj9JNE80WQ8u
koi8-r russian
5MEsINDP2tfPzsnUxSDNzsUg188g19TP0s7Jyy4=
8M/WwczVytPUwSwgws/M2NvFIM7FINDJ28nUxSDNzsUu
4dfUz83B1MnexdPLycogz9TXxdQ6INEg1yDP1NDV08vFLg==
koi8-u ukrainian
9MHLLCDawdTFzMXGz87VytTFINUg16bX1M/Sz8su
4tXE2CDMwdPLwSwgwqbM2NvFIM7FINDJ26bU2CDNxc6mLg==
4dfUz83B1MnezsEg16bE0M/XpsTYOiDRINUg16bE0NXT1MOmLg==
windows-1250 polish
VGFrLCBwcm9zeuogbyB0ZWxlZm9uLiBEemnqa3Vq6iwgo3VjamE=
UHJvc3rqIHdp6mNlaiBkbyBtbmllIG5pZSBwaXNh5i4=
QXV0b21hdHljem5hIG9kcG93aWVknzogamVzdGVtIG5hIHVybG9waWUu
windows-1251 russian
xOAsIO/u5+Lu7ejy5SDs7eUg4u4g4vLu8O3o6i4=
z+7m4Ovz6fHy4Cwg4e7r/PjlIO3lIO/o+Ojy5SDs7eUu
wOLy7uzg8uj35fHq6Okg7vLi5fI6IP8g4iDu8u/z8erlLg==
windows-1252 german
SmEsIGdlcm4gliBzY2j2bmUgR3L832U=
Qml0dGUgc2NocmVpYmVuIFNpZSBtaXIgbmljaHQgbWVociBm/HIgaW1tZXIu
QXV0b21hdGlzY2hlIEFudHdvcnQ6IGFiIE3kcnogenVy/GNrIJYgR3L832U=
windows-1253 greek
zeHpLCDh8iDs6eve8+/17OUg9OftINTx3/TnLg==
0OHx4erh6/4g7OftIOzv9SDu4e3h8/Tl3+vl9OUu
wfX0/Ozh9Ocg4fDc7fTn8+c6IOHw7/Xz6dzm+S4=
windows-1254 turkish
RXZldCwgc2Fs/SBn/G78IGf2cvz+ZWJpbGlyaXouIEn+/Ww=
TPx0ZmVuIGJhbmEgYmlyIGRhaGEgeWF6bWF5/W4u
T3RvbWF0aWsgeWFu/XQ6IP51IGFuIGl6aW5kZXlpbS4=
windows-1255 hebrew
6+8sIPDj4fgg4enl7SD57On56SDg5/gg5Pbk+Onp7S4=
4PDgIOTx6fjlIODl+ukg7vj56e76IOT69OX25C4=
7vLw5CDg5ejl7ujpOiDg8Okg4efl9PnkLg==
windows-1256 arabic
5NrjoSDh5MrNz8sg7ebjIMfhy+HHy8fBLg==
7dHM7CDF0sfhyu0g4+Qg3sfG48rf4yDH4cjR7c/tyS4=
0c8gyuHex8btOiDD5Mcg3e0gxczH0sku
windows-1257 lithuanian
VGFpcCwgcGFza2FtYmlua2l0ZSBhbnRyYWRpZW7hLiBB6Gn7LCDeeWRy+27r
UHJh8GF1IG1hbiBkYXVnaWF1IG5lcmHweXRpLg==
QXV0b21hdGluaXMgYXRzYWt5bWFzOiBncuHwaXUgcnl0b2ou
windows-874 thai
5LTppOjQIOK3w8vSqdG5x9G5zdGnpNLD
ocPYs9LNwujSyuinzdXgwcW21qep0bnN1aE=
tc26ocXRus3RteK5wdG11DogqdG5xdK+0aHD6c25
utf-16 german
SgBhACwAIABnAGUAcgBuACAAEyAgAHMAYwBoAPYAbgBlACAARwByAPwA3wBlAA==
QgBpAHQAdABlACAAcwBjAGgAcgBlAGkAYgBlAG4AIABTAGkAZQAgAG0AaQByACAAbgBpAGMAaAB0ACAAbQBlAGgAcgAgAGYA/AByACAAaQBtAG0AZQByAC4A
QQB1AHQAbwBtAGEAdABpAHMAYwBoAGUAIABBAG4AdAB3AG8AcgB0ADoAIABhAGIAIABNAOQAcgB6ACAAegB1AHIA/ABjAGsAIAATICAARwByAPwA3wBlAA==
utf-16 german
AEoAYQAsACAAZwBlAHIAbgAgIBMAIABzAGMAaAD2AG4AZQAgAEcAcgD8AN8AZQ==
AEIAaQB0AHQAZQAgAHMAYwBoAHIAZQBpAGIAZQBuACAAUwBpAGUAIABtAGkAcgAgAG4AaQBjAGgAdAAgAG0AZQBoAHIAIABmAPwAcgAgAGkAbQBtAGUAcgAu
AEEAdQB0AG8AbQBhAHQAaQBzAGMAaABlACAAQQBuAHQAdwBvAHIAdAA6ACAAYQBiACAATQDkAHIAegAgAHoAdQByAPwAYwBrACAgEwAgAEcAcgD8AN8AZQ==
utf-16 japanese
bzBEMAEwZWcxkG4wa3DcZuVlazBKMPuWcYpPMGAwVTBEMAIw
yk6MX+Ew/DDrMG4wAZDhT5IwXFBia1cwZjBPMGAwVTBEMAIw
6oHVUtSP4U8a/xFPh2YtTmcwWTACMDMACGcxADYA5WVrMDtiijB+MFkwAjA=
utf-16 japanese
MG8wRDABZ2WQMTBucGtm3GXlMGswSpb7inEwTzBgMFUwRDAC
TspfjDDhMPww6zBukAFP4TCSUFxrYjBXMGYwTzBgMFUwRDAC
gepS1Y/UT+H/Gk8RZodOLTBnMFkwAgAzZwgAMQA2ZeUwa2I7MIowfjBZMAI=
utf-16 simplified
fVmEdgz/C05oVIxOC05IUwlOuXDvU+VOGpA1dd2LAjA=
94sNToGJjVHZfhFi0VOukPZOhk4M/yKMIowCMA==
6oGoUt5WDVka/xFiY2soVxFPR1AM/zMACGcxADYA5WXeVmVnAjA=
utf-16 russian
BBQEMAAsACAEPwQ+BDcEMgQ+BD0EOARCBDUAIAQ8BD0ENQAgBDIEPgAgBDIEQgQ+BEAEPQQ4BDoALg==
BB8EPgQ2BDAEOwRDBDkEQQRCBDAALAAgBDEEPgQ7BEwESAQ1ACAEPQQ1ACAEPwQ4BEgEOARCBDUAIAQ8BD0ENQAu
BBAEMgRCBD4EPAQwBEIEOARHBDUEQQQ6BDgEOQAgBD4EQgQyBDUEQgA6ACAETwAgBDIAIAQ+BEIEPwRDBEEEOgQ1AC4=
utf-16le traditional
fVmEdgz/C04xkIxOC05IUwlO3p7vU+VOGpD7lnGKAjA=
y4oNToGJjVHEW+FPZn0RYgz/HYsdiwIw
6oHVUt5Whoka/xFiY2soVxFPR1AM/zMACGcxADYA5WXeVoZPAjA=
utf-16be korean
sSQALAAgsuTHTAAgyPwAINZUxpTHfAAgxiTWxMXQACDRtdZU1XTGlAAu
s1QAIMd0wMEAILpUx3zHRAAgvPSwtMnAACC5yME4xpQALg==
x5Cz2QAgx1Gy9QA6ACDXNKwAACDJEcd0unAAIAAzxtQAIAAxADbHfMXQACCzzMVExjWyyLLkAC4=
`

export const samples: readonly CharsetSample[] = [...encoded.matchAll(/^([\w-]+) (\w+)\n(.+)\n(.+)\n(.+)$/gm)].map(
  ([, charset, script, ...bytes]) => ({
    charset: charset!,
    script: script as keyof typeof texts,
    bytes: bytes.map((text) => Buffer.from(text!, 'base64')),
  }),
)
