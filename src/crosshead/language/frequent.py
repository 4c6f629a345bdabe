"""What is frequent in languages: function words, letters and endings.

Function words hold sentences together: articles, pronouns, prepositions, auxiliaries, question words. They tell the
language of a text, and carry no meaning of a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

UNDETERMINED: Final = "und"
"""The ISO 639 code of a text whose language nothing tells."""
PRIVATE: Final = "x-"
"""How codes of languages of private use begin."""

_HEBREW_MARKS: Final = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_ARABIC_MARKS: Final = "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
VOWEL_MARKS: Final = _HEBREW_MARKS + _ARABIC_MARKS
"""The signs around letters of Hebrew and Arabic, for a set of a regular expression; most texts do without them."""

CODES: Final[Mapping[str, str]] = {
    "arabic": "ar", "armenian": "hy", "basque": "eu", "belarusian": "be", "bengali": "bn", "bulgarian": "bg",
    "burmese": "my", "catalan": "ca", "chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl",
    "english": "en", "esperanto": "eo", "estonian": "et", "finnish": "fi", "french": "fr", "galician": "gl",
    "georgian": "ka", "german": "de", "greek": "el", "gujarati": "gu", "hebrew": "he", "hindi": "hi",
    "hungarian": "hu", "icelandic": "is", "indonesian": "id", "irish": "ga", "italian": "it", "japanese": "ja",
    "kannada": "kn", "khmer": "km", "korean": "ko", "lao": "lo", "latvian": "lv", "lithuanian": "lt",
    "macedonian": "mk", "malayalam": "ml", "marathi": "mr", "nepali": "ne", "norwegian": "no", "persian": "fa",
    "polish": "pl", "portuguese": "pt", "punjabi": "pa", "romanian": "ro", "russian": "ru", "serbian": "sr",
    "sesotho": "st", "slovak": "sk", "slovenian": "sl", "spanish": "es", "swedish": "sv", "tamil": "ta",
    "telugu": "te", "thai": "th", "tibetan": "bo", "turkish": "tr", "ukrainian": "uk", "urdu": "ur",
    "vietnamese": "vi", "yiddish": "yi",
}  # fmt: skip
"""ISO 639 codes by the names of languages."""


def language_code(name: str) -> str:
    """Return the code of a language by its name; what has no code, as `simple`, gets one of private use."""
    return CODES.get(name, f"{PRIVATE}{name}")


FUNCTION_WORDS: Final[Mapping[str, str]] = {
    # Latin script
    "basque": "eta edo da du dira dute ditu dituzte zen ziren den duen diren dituen bat batean baten ez ere "
    "baina hau hori hauek horiek bere nola zer zein nor non noiz zergatik bada gisa bidez ondoren arte behar "
    "ahal dago daude daiteke daitezke duzu dezakezu dut gara naiz haren hura beste guztiak baino gabe",
    "catalan": "el la els les un una uns unes de del dels al als a en amb per i o que no és són es com més si "
    "aquest aquesta aquests això hi ho ha han on què quan quin quina quins quines qui fer pot poden podeu sense "
    "però també seu seva us vos ser està estan se li ni sobre entre fins des cap jo meu meva m l d s",
    "croatian": "i u na je se da za su od kao ne s sa bi ili ako kako što koji koja koje koju ovaj ova ovo taj "
    "to te gdje kada zašto tko biti će ćete sam smo ste nije nisu može možete mogu iz po pri o ali jer li ga im "
    "ih vam moj tijekom prema između samo bez do k",
    "czech": "a v ve na je se že s z ze do o i k ke pro jako ale nebo by aby jsou byl byla bylo být není tento "
    "tato toto ten ta to který která které co jak kde kdy proč kdo jaký jaká jaké při po od za si už jeho její "
    "jejich mezi pokud může můžete lze bude tím jsem jste mi můj má mají pod u",
    "danish": "og i at det er en et den de til på som med for af ikke der har kan var fra ved om eller men hvis "
    "når man hvad hvordan hvor hvorfor hvornår hvilken hvilket hvilke hvem skal vil blive bliver være jeg du vi "
    "dig din dit denne dette disse så også efter under over mellem kun sig sin deres mit min mig nogle noget må "
    "mere op nu gøre meget været",
    "dutch": "de het een en van in is dat op te zijn met voor niet aan er om ook als dan of door bij naar uit "
    "deze dit die wordt worden kan kunnen moet wat hoe waar waarom wanneer welke welk wie u je ik mij mijn uw "
    "jij zij hij hun maar geen nog wel al over tussen heeft hebben was zal zo zich tot onder",
    "english": "a an and are as at be been being but by can cannot could did do does doing for from get gets "
    "getting had has have having how i if in into is it its me my no not of on or our should so some such than "
    "that the their them then there these they this those to use used uses using via was we were what when where "
    "which who whose why will with would you your",
    "esperanto": "la kaj de en estas al ne por kun ke el kiel se sed aŭ ĝi vi mi ni ili li ŝi tiu ĉi tio kiu kio "
    "kie kiam kial kiuj povas per sur pri ankaŭ nur devas estis estos plej pli post antaŭ inter sen ĉu tiuj unu "
    "via mia oni",
    "estonian": "ja on ei et ka ning see oli kui mis ta aga või seda selle ole olla mida mille kus millal miks "
    "kuidas kes milline oma siis ainult kuni pole saab võib tuleb ma sa me te nad minu sinu nende ilma kas nii "
    "juures läbi pärast enne peale neid need sest iga kõik",
    "finnish": "ja on ei se että ovat oli tai kun mutta joka jos myös kuin ole tämä tämän sen ne niin mitä mikä "
    "missä milloin miksi miten kuka kuinka voi voit voidaan minä sinä hän me te he minun sinun olla olen jotka "
    "jonka vain sekä ilman kanssa jälkeen ennen siitä sitä tässä siinä eivät mihin onko",
    "french": "le la les un une des de du d l et à au aux en dans pour par sur avec sans que qu qui quoi dont où "
    "quand comment pourquoi quel quelle quels quelles est sont ce cet cette ces il elle ils elles on je tu nous "
    "vous mon ma mes votre vos son sa ses leur leurs ne n pas plus ou mais si s se être a ont été peut peuvent "
    "comme même aussi faire fait y entre c j m t",
    "galician": "o a os as un unha uns unhas de do da dos das en no na nos nas ao á aos ás e ou que non é son se "
    "para por con sen como máis pode este esta isto súa seu tamén cando onde quen cal ser está foi pola polo nun "
    "nunha co dun dunha me eu meu miña sobre entre até só mais",
    "german": "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind "
    "war wird werden wurde hat haben kann können muss soll sein mit von zu zum zur im in am an auf aus bei nach "
    "für über unter durch um als wie was wer wo wann warum wieso welche welcher welches welchen ich du er sie es "
    "wir ihr man mein meine sich auch nur so wenn dass dieser diese dieses diesem diesen sowie vom beim noch ob "
    "bis",
    "hungarian": "a az és hogy nem is egy van meg ez azt ha csak mint volt el ki vagy de akkor lehet kell ezt "
    "ezek azok amely amelyek ami aki mi mit hogyan hol mikor miért melyik milyen én te ti ők be még már minden "
    "így után által nincs között alatt szerint való lesz vannak sem fel le nélkül",
    "icelandic": "og að er í á sem um til en hann hún það var með fyrir ekki eru hefur við af frá eða ef hvað "
    "hvernig hvar hvenær þetta þessi þú ég þeir sé því inn úr hafa verið má getur verður",
    "indonesian": "yang dan di untuk dengan dari ke ini itu atau tidak pada adalah dapat akan dalam anda saya "
    "kami kita mereka juga oleh jika apa apakah bagaimana mengapa kapan dimana mana siapa ada bisa harus lebih "
    "hanya sudah belum telah sebagai seperti tetapi karena bahwa setiap suatu sebuah para secara agar antara "
    "tentang saat bila",
    "irish": "an na agus ar ag le do de i is a go tá níl bhfuil nach ní sé sí é í siad seo sin leis ón ó as ach "
    "nó má cad conas cá cathain cén cé mar ina chun gan faoi gach mé tú sibh mo bheith bhí freisin sa san féidir "
    "nuair idir",
    "italian": "il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da "
    "dal dalla in nel nella nei nelle con su sul sulla per tra fra e ed o ma se che chi cosa come dove quando "
    "perché quale quali quanto è sono non si ha hanno essere questo questa questi queste quello mio mia io tu "
    "lui lei noi voi loro suo sua anche più può possono viene c l d dell all nell ogni senza",
    "latvian": "un ir ka ar no par uz bet kas vai pie tas ja lai to jūs varat nav arī kā kad kur kāpēc kāds kāda "
    "šo šī šis tā tiek var būt pēc tikai ko jūsu jums es mēs viņi pirms līdz starp bez tad tie šie pa savu tam",
    "lithuanian": "ir kad su yra tai buvo kaip bet ar o po per nuo jo tik į iš už ne apie jei jeigu arba kas kur "
    "kada kodėl koks kokia kokie kurie kuris kuri gali būti šis ši tas aš tu jis ji mes jūs jie mano savo dėl "
    "prie be jūsų šio norite taip pat iki ant visi",
    "norwegian": "og i å det er en et den de til på som med for av ikke har kan var fra ved om eller men hvis "
    "når man hva hvordan hvor hvorfor hvilken hvilket hvilke hvem skal vil bli blir være jeg du vi deg din ditt "
    "denne dette disse så også etter under over mellom bare seg sin deres mitt min meg noen noe ein eit ikkje eg "
    "kva korleis frå må mer opp nå gjøre mye vært",
    "polish": "i w we na do z ze nie jest się to że o jak po za od dla lub przez oraz co czy są a ale jako może "
    "można być był było była który która które których jeśli gdy kiedy gdzie dlaczego kto jaki jaka jakie ten ta "
    "te tego tej tym tych jego jej ich przy pod także tylko już bez między ja mój moje moja mi mnie sobie aby by "
    "u",
    "portuguese": "o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às e ou que não é são se "
    "para por com sem como mais pode podem este esta isto isso esse essa seu sua seus suas você também quando "
    "onde quem qual quais quanto porque ser está foi pela pelo pelos pelas num numa eu meu minha me mas já há "
    "entre sobre até ele ela eles tem ter só",
    "romanian": "și de la cu pe nu un o în din care mai sau este sunt se să ca pentru al ale a ai că dacă prin "
    "ce cum unde când cine cât câte acest această acesta aceasta aceste lui ei lor fi fost poate pot am are au "
    "îl îi vă eu meu mea fără între după până doar iar dar orice fie unei unui îmi",
    "sesotho": "le ka ho ya ke ba hore e ha mo tse wa se o tsa bo sa ne di haeba jwang eng kae mang neng "
    "hobaneng empa hape kapa ena tla tlas feela hona eo oo ntle jwalo bona nna wena rona yona",
    "slovak": "a v vo na je sa že s z zo do o i k ku pre ako ale alebo by aby sú bol bola bolo byť nie tento "
    "táto toto ten tá to ktorý ktorá ktoré čo kde kedy prečo kto aký aká aké pri po od za si už jeho jej ich "
    "medzi ak môže môžete bude som ste mi môj má majú pod u tiež len bez",
    "slovenian": "in je v na za se da so ki ne z s pa po ali lahko če kot tudi to ta te tega bi bo kaj kako kje "
    "kdaj zakaj kdo kateri katera katere ga jih jo od iz pri o do še sem smo ste ni niso vendar ker samo med "
    "brez moj biti ko kadar več nato boste",
    "spanish": "el la los las un una unos unas de del al a en con por para sin sobre entre hasta desde y e o u "
    "pero si no que qué como cómo cuando cuándo donde dónde cual cuál cuáles quien quién cuánto cuánta cuántos "
    "es son está están ser fue hay ha han se su sus lo le les me mi mis yo tú tu nos este esta estos estas esto "
    "ese esa eso más también puede pueden puedo debe ya muy cada otro otra porque cuyo hace hacer ni usted",
    "swedish": "och i att det är en ett den de till på som med för av inte har kan var från vid om eller men när "
    "man vad hur varför vilken vilket vilka vem ska skall vill bli blir vara jag du vi dig din ditt denna detta "
    "dessa så också efter under över mellan bara sig sin deras mitt min mig någon något finns utan där här samt",
    "turkish": "ve bir bu da de ile olan daha en her ne ama gibi için olarak veya ya değil var yok mı mi mu mü "
    "nasıl neden niçin nerede hangi kim kaç sonra önce kadar ise eğer ancak çok tarafından göre şu o ben sen biz "
    "siz onlar benim bunu buna bunun olur olması üzere iken hem diye ki",
    "vietnamese": "và là của có không được cho trong với này một các những để khi từ đến bạn tôi đó nếu hoặc như "
    "thì ra vào trên dưới bởi vì sao thế nào gì đâu ai hãy sẽ đã đang cũng chỉ bị phải nên mà về theo tại hay "
    "rằng nó bằng làm",
    # Cyrillic script
    "belarusian": "і у ў на не што з да па як але гэта калі для або ці за ад яго яе іх быць можа гэты гэтая які "
    "якая якія дзе чаму хто каб мае вы мы я ён яна яны пры аб таксама толькі ёсць без праз",
    "bulgarian": "и в на да се от за не е са с по че ще или като това този тази тези които който която което как "
    "какво къде кога защо кой коя кои ако може можете има няма към при до след но аз ти той тя ние вие те му им "
    "си бъде във със само още също през без между",
    "macedonian": "и на да за не се е од со во или дека како што кој која кое кои ако може ова овој оваа тоа тие "
    "ги го ја ќе има нема до по при но само каде кога зошто јас ти ние вие би сте сум беше меѓу без",
    "russian": "и в во на не с со что по для к ко из от до за о об у а но или если как так это этот эта эти "
    "этого он она оно они его ее их мы вы я мне мой моя мое мои где когда кто чтобы почему зачем какой какая "
    "какие какое который которая которые которого быть был была было были может можно есть также при под над "
    "через без только уже ли бы же чем сколько куда",
    "serbian": "и у на је се да за су од као не с са би или ако како што који која које коју овај ова ово тај то "
    "те где када зашто ко бити ће ћете сам смо сте није нису може можете могу из по при о али јер ли га им их "
    "вам мој преко према између само без до к",
    "ukrainian": "і й в у на не з із зі що до для за як або та це якщо про від по є які який яка яке його її їх "
    "ви ми я він вона вони щоб але бути може можна буде цей ця ці цього також тільки лише де коли чому хто при "
    "під без через між так мені мій моя чи усі скільки",
    # Other scripts
    "arabic": "في من على إلى أن هذا هذه التي الذي هو هي لا ما ماذا كيف أين متى لماذا لم مع كان كانت عن أو إذا كل "
    "قد بعد قبل غير ذلك تلك ثم حتى بين عند يمكن يمكنك يجب ليس أي هل أنا نحن لكن كما تم منذ",
    "persian": "و در به از که این را با برای است آن یک یا تا شما می اگر باید هم بر خود بود شود کنید چگونه چطور "
    "چه چرا کجا کی کدام چند هر آیا ما من ولی نیز هستند شده نیست باشد ها های روی پس",
    "urdu": "کے کی کا میں ہے اور سے کو نے پر یہ ہیں کہ جو کر بھی نہیں ایک لئے لیے آپ اس ان تو ہو گا گی کیا کیسے "
    "کہاں کب کیوں کون یا اگر تھا جب",
    "hebrew": "של את על לא זה זו עם הוא היא אם או כדי כי גם אל כל יש אין מה מי איך היכן איפה מתי למה מדוע איזה "
    "אילו כמה אני אתה אנחנו הם הן היה להיות ניתן יכול אך רק עד בין לפני אחרי ידי אשר אבל אינו",
    "yiddish": "און די דער דאס דאָס איז אין צו פון מיט אויף ניט נישט אַ א איר איך ער זי עס מיר זיי וואס וואָס ווי "
    "ווער ווען פארוואס אָבער אבער אויב קען האט האָט זענען",
    "hindi": "के का की में है हैं और से को पर यह वह कि इस उस एक नहीं आप हो या भी लिए तो कर करें ने जो क्या कैसे कहाँ कब क्यों कौन "
    "कौनसा मैं हम अगर यदि तक द्वारा किसी अपने था थी थे साथ जब",
    "marathi": "आणि आहे आहेत किंवा या हे ही हा तो ते ती मध्ये साठी करा नाही तुम्ही तुमच्या तर जर मी आम्ही काय कसे कुठे केव्हा का "
    "कोण एक च व असेल असल्यास पण वर",
    "nepali": "छ र यो को मा लागि हो भने पनि गर्न गर्नुहोस् गर्नुहोस छैन छन् एक तपाईं तपाईंको वा अथवा के कसरी कहाँ कहिले किन कुन "
    "ले लाई बाट त्यो सबै भयो यस हुन्छ होस होइन",
    "bengali": "এবং এর এই একটি করুন জন্য না থেকে করে হয় আপনি আপনার বা যদি কি কীভাবে কোথায় কখন কেন কে কোন ও যে সে "
    "তার মধ্যে সঙ্গে হবে",
    "tamil": "ஒரு மற்றும் அல்லது இந்த அந்த என்று என்பது உள்ள நீங்கள் உங்கள் எப்படி எங்கே எப்போது ஏன் யார் என்ன எந்த இது அது ஐ மூலம் "
    "வேண்டும் முடியும் இல்லை நான் போது கொண்டு",
    "greek": "ο η το οι τα του της των τον την τους τις και να για με σε από που δεν είναι θα στο στη στην στον "
    "στα στις στους ένα μια ένας έναν ενός μιας ή αν εάν ότι όταν πως πώς τι ποιος ποια ποιο ποιες πού πότε "
    "γιατί μπορεί μπορείτε έχει έχετε αυτό αυτή αυτά αυτές εγώ εσείς μου σας μας ως αλλά χωρίς κάθε πρέπει κατά",
    "armenian": "և է են որ այս այն մի ոչ կամ ու ի ով եք եմ ինչ ինչպես որտեղ երբ ինչու որը որոնք համար հետ մեջ չէ "
    "չի ձեր պետք կարող եթե բայց նաև դուք ես մենք",
    "korean": "이 그 저 것 수 및 또는 그리고 하는 있는 있다 없다 어떻게 무엇 무엇을 무엇이 왜 언제 어디 어디서 "
    "어느 누가 어떤 하나요 있나요 합니까 입니까 인가요 됩니까 되나요 대해 대한 위해 위한 있습니다 합니다 방법은",
    # Without spaces
    "chinese": "什么 什麼 怎么 怎麼 怎么样 怎样 怎樣 怎么办 如何 为什么 為什麼 为何 為何 是否 能否 可否 可以 "
    "能不能 会不会 有没有 是不是 哪个 哪些 哪里 哪裡 哪儿 哪一个 这个 這個 那个 那個 这些 那些 我们 我們 你们 "
    "他们 多少 几个 何时 何時 何处 应该 應該 请问 請問 以及 或者 因为 如果 需要 进行",
    "japanese": "どう どの どれ どこ いつ なぜ だれ どうやって どのように ですか ますか ください について とは "
    "できる できます したい するには",
    "thai": "และ หรือ ที่ ใน ของ เป็น มี ได้ ให้ จะ ไม่ กับ จาก โดย อย่างไร ยังไง อะไร ทำไม ที่ไหน เมื่อไร เมื่อไหร่ ใคร ไหน ไหม "
    "หรือไม่ เท่าไร นี้ นั้น การ ความ ต้อง ว่า คือ ถ้า ฉัน คุณ แล้ว ก็ ซึ่ง",
}

LETTERS: Final[Mapping[str, str]] = {
    "basque": "ñ",
    "catalan": "éèàóòíúçïü·",
    "croatian": "čšžćđ",
    "czech": "íáěéčřžýšůúňťďó",
    "danish": "øåæéöä",
    "dutch": "ëéïöèüá",
    "english": "éï",
    "esperanto": "ĉĝĥĵŝŭ",
    "estonian": "äõüöšž",
    "finnish": "äöå",
    "french": "éèàêçôûùîïâœëæüÿ",
    "galician": "óíáéñúü",
    "german": "üäößéàèë",
    "hungarian": "éáöóőíüúű",
    "icelandic": "íáðéþóöæúý",
    "indonesian": "é",
    "irish": "áéíóú",
    "italian": "èàéùòìîóú",
    "latvian": "āīēšņļūžķčģ",
    "lithuanian": "ėšųžįčąūę",
    "norwegian": "øåæéöäòô",
    "polish": "łąęóśżćńź",
    "portuguese": "ãçéáíõóâêúàôü",
    "romanian": "ăîâșțşţ",
    "sesotho": "šêô",
    "slovak": "íáéčžýšúňťďóľäôĺŕ",
    "slovenian": "čšž",
    "spanish": "óíáéñúü¿¡ºª",
    "swedish": "äåöéü",
    "turkish": "ışüğçöiâîû",
    "vietnamese": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "belarusian": "аіныетсрлквяодпмузьўйцчбгшыэжхюёф",
    "bulgarian": "аоиентрсвлдпкмзбъугячжцшйщхфюь",
    "macedonian": "аоиентрсвкупјмлдзгбњљчшцжхџфѓќѕ",
    "russian": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё«»",
    "serbian": "аоиенртсвкупљјмлдзгбњчшцћжђхџф",
    "ukrainian": "оаинвіетрсклудмпязьгчбхйцжїюєфшщґ",
}
"""The letters beyond ASCII, the most frequent first, of languages that share a script with others."""
ENDINGS: Final[Mapping[str, str]] = {
    "basque": "tzen tzeko aren etako ekin etan tua tzea eko rako zioa etik",
    "catalan": "ció ment tat ada ador atge itzar eu ts ls ns cions",
    "croatian": "anje enje ost iti ati nog nom skog ije ama ima oga ivanje",
    "czech": "ení ání ost ého ých ému ách ovat ní ské ným nou ech ích",
    "danish": "ning else hed erne ede ende inger lig ige eren igt tion eret rug dig",
    "dutch": "ing heid lijk lijke eren eerd atie ijk sel baar oord ingen aar",
    "english": "tion ing ed ness ity ould ght ment ally ess ous ble ly ings",
    "esperanto": "oj ajn ojn aj as is us anta ita ado eco ebla igi iĝi",
    "estonian": "mine mise takse vad des test dest sse ses ud atud iste ded",
    "finnish": "nen ssa ssä lla llä sta stä een isen taa tään vat vät minen mista ista oon iden ksi",
    "french": "tion ment eur eux euse ique aire ées és age ière oir ité ant isé ez",
    "galician": "ción dade mente eiro eira ións oso axe ible ndo ar er",
    "german": "ung keit heit lich isch eiten ungen tion iert ieren schaft ern chen igen cht iger",
    "hungarian": "ság ség ban ben nak nek hoz ból ről ása ése tás tés ott ett kat ket ító jának tása",
    "icelandic": "inn ið um ur ar ir unni inu aðu andi legt lega",
    "indonesian": "kan nya asi nga ngan gkan ikan ukan an lah",
    "irish": "adh acht aigh ann eadh ithe aíocht úil ais igh",
    "italian": "zione mente ità are ere ato ata ati zioni aggio ente ella gli ne tto",
    "latvian": "šana ība iem ām anas āt īt iet ēt ai am šanas tiek ajā",
    "lithuanian": "imas imo ti ai ų iai umas ybė iama oti yti amas iau uose",
    "norwegian": "ning else het ene ende inger lig ige eren sjon heten ert ruk sjoner",
    "polish": "ość anie enie owy owa owe ego ych nych ować acja ów ami ach esz sz cji",
    "portuguese": "ção dade mente ções agem eiro ável ível ando endo ar er ir ado ada",
    "romanian": "ție ului iei ile lor are ată ați iune ește ează rea ții elor tea",
    "sesotho": "ng lang eng hong tso elo sang",
    "slovak": "enie anie osť ého ých ému ách ovať né ské ným nou och ami ti",
    "slovenian": "anje enje ost iti ati ega nega skega ijo ih ami eh imi lo",
    "spanish": "ción dad mente ciones aje ero able ible ando iendo ar er ir ado ada os ón",
    "swedish": "ning else het erna ade ande ingar lig iga aren igt tion ar or heten",
    "turkish": "lar ler mak mek dır dir ları leri nın nin yor acak ecek ması mesi lık lik",
    "belarusian": "ння нне аць яць ага ых ыць асць ены амі ць",
    "bulgarian": "ите ата ът ята ане ение ост ция ето ява ация ия",
    "macedonian": "ите ата от ење ање ост ција ето ува ната ниот ќе",
    "russian": "ого ный ная ние ация ать ить ость ых ами ется ния ение ой ые ей тся ция",
    "serbian": "ање ење ост ити ати ног ном ских ије ама има ога",
    "ukrainian": "ння ати ити ого ість ися ів ами ний ться ах ція ові ої ною",
}
"""Frequent endings of longer words in languages that share a script with others."""
