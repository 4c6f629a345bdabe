"""Texts in many languages, two of each: instructions, and something told. Each is a list of sentences."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "german": (
        (
            "# Schlüssel erneuern",
            "Die Schlüssel müssen alle 90 Tage erneuert werden, sonst verfällt der Zugang.",
            "Öffnen Sie dazu das Menü „Einstellungen“ und wählen Sie den Eintrag für Zugänge – er steht ganz unten.",
            "Für größere Änderungen gibt es eine Gebühr von 5 €, die am Ende des Monats fällig wird.",
            "Prüfen Sie außerdem, ob die alten Schlüssel gelöscht wurden; übrig bleiben dürfen höchstens zwei.",
        ),
        (
            "Gestern früh fuhr der Zug nach Köln mit einer halben Stunde Verspätung ab.",
            "Die Fahrgäste saßen müde auf ihren Plätzen, draußen fiel Schnee über die Felder und Dörfer.",
            "Ein älterer Herr erzählte von früher, als die Züge noch pünktlich waren und der Kaffee heiß.",
            "Später hörte man nur das Geräusch der Räder, und niemand störte sich mehr an der Kälte.",
        ),
    ),
    "french": (
        (
            "# Renouveler les clés",
            "Les clés doivent être renouvelées tous les trois mois, sinon l’accès est bloqué.",
            "Ouvrez d’abord le menu « Paramètres », puis choisissez l’élément situé tout à fait en bas.",
            "Où que vous soyez, le système vérifie que l’ancienne clé a bien été supprimée.",
            "Les données ne sont jamais effacées sans votre accord ; une copie complète est conservée à côté.",
        ),
        (
            "L'été dernier, nous avons loué une maison près de la forêt, à une heure de Genève.",
            "Le matin, mon frère préparait le café et les crêpes pendant que les enfants rêvaient encore.",
            "À midi, la chaleur était si forte que personne n'osait sortir avant cinq heures.",
            "Nous y sommes retournés à Noël : la neige avait tout recouvert, même l'église du village.",
        ),
    ),
    "spanish": (
        (
            "# Cambiar la contraseña",
            "La contraseña caduca cada año, así que conviene cambiarla antes del próximo día primero.",
            "¿Dónde está la opción? Está en el menú, en la última página, detrás de la configuración.",
            "También se puede pedir por teléfono, pero la atención es más rápida por correo electrónico.",
        ),
        (
            "El niño comió piñas en la mañana y después corrió hacia el jardín de su abuela.",
            "Allí encontró un pequeño árbol que nadie había visto jamás, ni siquiera el señor Muñoz.",
            "¡Qué sorpresa! La vecina también salió a mirar y juntos esperaron hasta que cayó el sol.",
        ),
    ),
    "portuguese": (
        (
            "# Alteração das chaves",
            "As chaves não são renovadas automaticamente: é preciso fazer a alteração todos os três meses.",
            "Depois da confirmação, o sistema envia uma mensagem com as instruções necessárias.",
            "Se você já não tem acesso, peça ajuda à equipa de apoio, que está disponível até às seis.",
        ),
        (
            "O avô contou que a estação fechou há muitos anos, quando o comboio já não trazia ninguém.",
            "As crianças ouviam com atenção, sentadas no chão da cozinha, à espera do pão quente.",
            "Lá fora, a chuva não parava, e o cão dormia junto à porta do armazém.",
        ),
    ),
    "italian": (
        (
            "# Perché cambiare le chiavi",
            "Le chiavi scadono dopo novanta giorni, perché così è più difficile che qualcuno le usi di nascosto.",
            "Quando la validità è finita, il sistema non accetterà più nessuna richiesta, né oggi né domani.",
            "La novità è che ora si può già chiedere una proroga: basterà scrivere, e la risposta arriverà presto.",
        ),
        (
            "Giovedì la città era coperta di nebbia e l'autobus arrivò più tardi del solito.",
            "Mia zia, che è sempre puntuale, si arrabbiò e andò a piedi fino all'università.",
            "Là trovò il caffè chiuso: peccato, perché il martedì e il giovedì fanno una torta buonissima.",
        ),
    ),
    "swedish": (
        (
            "# Byta nycklar",
            "Nycklarna måste bytas var nittionde dag, annars går det inte att komma åt några uppgifter.",
            "Öppna först menyn längst upp till höger och välj därefter raden för åtkomst.",
            "När allt är färdigt får du ett meddelande; då är även de äldre nycklarna raderade.",
        ),
        (
            "På våren går isen upp på sjön och då börjar fåglarna komma tillbaka från söder.",
            "Barnen springer längs ån med sina håvar, fast vattnet fortfarande är väldigt kallt.",
            "Farmor står i köket och kokar ärtsoppa, som hon alltid gör på torsdagarna.",
        ),
    ),
    "polish": (
        (
            "# Wymiana kluczy",
            "Klucze należy wymieniać co trzy miesiące, w przeciwnym razie dostęp zostanie wyłączony.",
            "Otwórz najpierw „Ustawienia” i wybierz ostatnią pozycję na liście – znajdziesz ją na samym dole.",
            "Jeżeli coś się nie powiedzie, usuń stary klucz i spróbuj jeszcze raz po kilku minutach.",
            "Wszystkie zmiany są zapisywane, żeby później można było sprawdzić, kto i kiedy je wprowadził.",
        ),
        (
            "Wczoraj wieczorem padał śnieg, a pociąg do Łodzi spóźnił się prawie o godzinę.",
            "Babcia opowiadała dzieciom, jak dawniej jeździło się saniami przez zamarznięte jezioro.",
            "Zażółć gęślą jaźń to zdanie, którego używają drukarze, gdyż zawiera wszystkie polskie znaki.",
            "Nikt już nie pamiętał, skąd się wzięła ta piosenka, ale każdy ją śpiewał.",
        ),
    ),
    "czech": (
        (
            "# Výměna klíčů",
            "Klíče je třeba měnit každé tři měsíce, jinak přístup přestane fungovat.",
            "Nejdříve otevřete „Nastavení“ a potom zvolte poslední řádek, který se týká přístupů.",
            "Pokud se něco nepodaří, smažte starý klíč a zkuste to znovu za několik minut.",
            "Všechny změny se ukládají, aby bylo možné později zjistit, kdo je provedl.",
        ),
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy, říkává náš učitel, když chce vyzkoušet písmo.",
            "Včera jsme šli přes most k řece a děti házely kachnám kousky chleba.",
            "Večer začalo pršet, takže jsme zůstali doma a četli si pohádky až do půlnoci.",
        ),
    ),
    "hungarian": (
        (
            "# Kulcsok cseréje",
            "A kulcsokat háromhavonta kell cserélni, különben a hozzáférés megszűnik.",
            "Először nyissa meg a beállításokat, majd válassza ki az utolsó sort a lista alján.",
            "Ha valami nem sikerül, törölje a régi kulcsot, és próbálja újra néhány perc múlva.",
        ),
        (
            "Tegnap este erős szél fújt, és a vonat csak későn érkezett meg Győrbe.",
            "A nagymama történeteket mesélt a gyerekeknek arról, milyen volt régen a falu.",
            "Árvíztűrő tükörfúrógép: ezzel a két szóval szokás kipróbálni minden ékezetes betűt.",
        ),
    ),
    "turkish": (
        (
            "# Anahtarların değiştirilmesi",
            "Anahtarlar her üç ayda bir değiştirilmelidir, aksi hâlde erişim kapatılır.",
            "Önce ayarlar bölümünü açın, ardından listenin en altındaki satırı seçin.",
            "Bir şey ters giderse eski anahtarı silin ve birkaç dakika sonra yeniden deneyin.",
        ),
        (
            "Dün akşam İstanbul'da yağmur yağdı ve vapur iskeleye çok geç yanaştı.",
            "Büyükannem çocuklara eski günleri, küçük köyü ve dağdaki çeşmeyi anlattı.",
            "Işıklar sönünce herkes sustu; yalnızca rüzgârın sesi ve kedinin mırıltısı duyuluyordu.",
        ),
    ),
    "lithuanian": (
        (
            "# Raktų keitimas",
            "Raktus būtina keisti kas tris mėnesius, kitaip prieiga bus išjungta.",
            "Pirmiausia atidarykite nustatymus, tada pasirinkite paskutinę eilutę sąrašo apačioje.",
            "Jeigu kas nors nepavyksta, ištrinkite senąjį raktą ir pabandykite dar kartą.",
        ),
        (
            "Vakar vakare smarkiai snigo, todėl traukinys į Šiaulius gerokai vėlavo.",
            "Močiutė vaikams pasakojo, kaip anksčiau žmonės važiuodavo rogėmis per užšalusį ežerą.",
            "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą.",
        ),
    ),
    "russian": (
        (
            "# Смена ключей",
            "Ключи нужно менять каждые три месяца, иначе доступ будет закрыт.",
            "Сначала откройте «Настройки», затем выберите последнюю строку – она находится в самом низу.",
            "Если что-то не получилось, удалите старый ключ и попробуйте ещё раз через несколько минут.",
            "Все изменения записываются, чтобы потом можно было узнать, кто и когда их сделал.",
        ),
        (
            "Вчера вечером шёл снег, и поезд в Тверь опоздал почти на час.",
            "Бабушка рассказывала детям, как раньше ездили на санях через замёрзшее озеро.",
            "Съешь ещё этих мягких французских булок, да выпей чаю, говорил хозяин каждому гостю.",
            "Никто уже не помнил, откуда взялась эта песня, но все её пели.",
        ),
    ),
    "ukrainian": (
        (
            "# Зміна ключів",
            "Ключі потрібно змінювати кожні три місяці, інакше доступ буде закрито.",
            "Спочатку відкрийте налаштування, потім виберіть останній рядок у самому низу.",
            "Якщо щось не вийшло, видаліть старий ключ і спробуйте ще раз за кілька хвилин.",
        ),
        (
            "Учора ввечері йшов сніг, і поїзд до Києва запізнився майже на годину.",
            "Бабуся розповідала дітям, як колись їздили саньми через замерзле озеро.",
            "Ніхто вже не пам'ятав, звідки взялася ця пісня, але всі її співали.",
        ),
    ),
    "greek": (
        (
            "# Αλλαγή κλειδιών",
            "Τα κλειδιά πρέπει να αλλάζουν κάθε τρεις μήνες, διαφορετικά η πρόσβαση θα κλείσει.",
            "Ανοίξτε πρώτα τις ρυθμίσεις και έπειτα επιλέξτε την τελευταία γραμμή στο κάτω μέρος.",
            "Αν κάτι δεν πετύχει, σβήστε το παλιό κλειδί και δοκιμάστε ξανά μετά από λίγα λεπτά.",
        ),
        (
            "Χθες το βράδυ έβρεχε και το πλοίο έφτασε στον Πειραιά με μία ώρα καθυστέρηση.",
            "Η γιαγιά έλεγε στα παιδιά ιστορίες για το χωριό, το βουνό και την παλιά βρύση.",
            "Άλλοι γελούσαν και άλλοι είχαν ήδη αποκοιμηθεί δίπλα στη φωτιά.",
        ),
    ),
    "hebrew": (
        (
            "# החלפת מפתחות",
            "יש להחליף את המפתחות כל שלושה חודשים, אחרת הגישה תיחסם.",
            "פתחו תחילה את ההגדרות ואחר כך בחרו את השורה האחרונה בתחתית הרשימה.",
            "אם משהו לא הצליח, מחקו את המפתח הישן ונסו שוב בעוד כמה דקות.",
        ),
        (
            "אתמול בערב ירד גשם והרכבת לחיפה איחרה כמעט שעה.",
            "סבתא סיפרה לילדים איך היו נוסעים פעם בעגלה דרך השדות.",
            "איש כבר לא זכר מאין בא השיר הזה, אבל כולם שרו אותו.",
        ),
    ),
    "arabic": (
        (
            "# تغيير المفاتيح",
            "يجب تغيير المفاتيح كل ثلاثة أشهر، وإلا فسيتم إغلاق الوصول.",
            "افتح الإعدادات أولا ثم اختر السطر الأخير في أسفل القائمة.",
            "إذا لم ينجح شيء ما فاحذف المفتاح القديم وحاول مرة أخرى بعد دقائق.",
        ),
        (
            "هطل المطر مساء أمس ووصل القطار إلى المدينة متأخرا ساعة كاملة.",
            "كانت الجدة تحكي للأطفال كيف كان الناس يعبرون النهر في الماضي.",
            "لم يعد أحد يتذكر من أين جاءت هذه الأغنية ولكن الجميع كانوا يغنونها.",
        ),
    ),
    "thai": (
        (
            "# การเปลี่ยนกุญแจ",
            "ต้องเปลี่ยนกุญแจทุกสามเดือน มิฉะนั้นจะไม่สามารถเข้าใช้งานได้",
            "เปิดการตั้งค่าก่อน แล้วเลือกบรรทัดสุดท้ายที่ด้านล่างของรายการ",
            "หากมีปัญหา ให้ลบกุญแจเก่าแล้วลองใหม่อีกครั้งในอีกไม่กี่นาที",
        ),
        (
            "เมื่อวานตอนเย็นฝนตกหนัก รถไฟไปเชียงใหม่มาช้าเกือบหนึ่งชั่วโมง",
            "คุณยายเล่าให้เด็กๆ ฟังว่าเมื่อก่อนผู้คนเดินทางกันอย่างไร",
            "ไม่มีใครจำได้ว่าเพลงนี้มาจากไหน แต่ทุกคนก็ร้องเพลงนี้",
        ),
    ),
    "japanese": (
        (
            "# 鍵の交換",
            "鍵は三か月ごとに交換する必要があります。交換しないとアクセスできなくなります。",
            "まず設定を開き、一覧の一番下にある項目を選んでください。",
            "うまくいかない場合は、古い鍵を削除して、数分後にもう一度お試しください。",
        ),
        (
            "昨日の夜は雪が降って、電車が一時間近く遅れました。",
            "おばあさんは子どもたちに、昔は凍った湖をそりで渡ったのだと話してくれました。",
            "その歌がどこから来たのか誰も覚えていませんでしたが、みんなで歌いました。",
        ),
    ),
    "simplified chinese": (
        (
            "# 更换密钥",
            "密钥必须每三个月更换一次，否则将无法访问系统。",
            "首先打开设置页面，然后选择列表最下面的一项。",
            "如果没有成功，请删除旧的密钥，过几分钟再试一次。",
        ),
        (
            "昨天晚上下了很大的雪，开往北京的火车晚点了将近一个小时。",
            "奶奶给孩子们讲故事，说以前的人怎样坐着雪橇走过结冰的湖。",
            "谁也不记得这首歌是从哪里来的，但是大家都会唱。",
        ),
    ),
    "traditional chinese": (
        (
            "# 更換金鑰",
            "金鑰必須每三個月更換一次，否則將無法存取系統。",
            "首先開啟設定頁面，然後選擇清單最下面的一項。",
            "如果沒有成功，請刪除舊的金鑰，過幾分鐘再試一次。",
        ),
        (
            "昨天晚上下了很大的雨，開往臺北的火車晚了將近一個小時。",
            "奶奶給孩子們講故事，說以前的人怎樣走路經過那座山。",
            "誰也不記得這首歌是從哪裡來的，但是大家都會唱。",
        ),
    ),
    "korean": (
        (
            "# 열쇠 교체",
            "열쇠는 석 달마다 바꾸어야 하며, 그렇지 않으면 접속할 수 없습니다.",
            "먼저 설정을 열고 목록의 맨 아래에 있는 항목을 선택하십시오.",
            "잘되지 않으면 이전 열쇠를 지우고 몇 분 뒤에 다시 시도해 주십시오.",
        ),
        (
            "어제 저녁에는 눈이 많이 와서 부산으로 가는 기차가 한 시간이나 늦었습니다.",
            "할머니는 아이들에게 옛날에 사람들이 어떻게 호수를 건넜는지 이야기해 주었습니다.",
            "그 노래가 어디에서 왔는지 아무도 기억하지 못했지만 모두 함께 불렀습니다.",
        ),
    ),
}
