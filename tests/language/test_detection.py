from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.language.detection import detect_language
from crosshead.language.frequent import CODES, ENDINGS, FUNCTION_WORDS, LETTERS, UNDETERMINED

TEXTS = {
    "ar": "كيف يمكن ضبط الشبكة؟ يجب على المستخدم أن يختار الاسم من هذه القائمة.",
    "bg": "Ако паролата не е въведена, потребителят трябва да я създаде отново с този бутон.",
    "ca": "Podeu canviar la configuració de la xarxa amb aquest botó, però no és necessari fer-ho.",
    "cs": "Pokud síť není nastavena, můžete ji vytvořit v tomto okně nebo ze seznamu.",
    "da": "Hvis netværket ikke er sat op, kan du oprette det her eller vælge et fra listen.",
    "de": "Wenn das Netz nicht eingerichtet ist, kann man es hier anlegen oder aus der Liste wählen.",
    "el": "Αν το δίκτυο δεν έχει ρυθμιστεί, μπορείτε να το επιλέξετε από τη λίστα.",
    "en": "If the network is not set up, you can create it here or choose one from the list.",
    "es": "Si la red no está configurada, se puede crear aquí o elegir una de la lista.",
    "et": "Kui võrk ei ole seadistatud, siis saab selle luua siin või valida nimekirjast.",
    "fa": "اگر شبکه تنظیم نشده است، می‌توانید آن را از این فهرست برای خود انتخاب کنید.",
    "fi": "Jos verkkoa ei ole määritetty, voit luoda sen tässä tai valita sen luettelosta.",
    "fr": "Si le réseau n'est pas configuré, on peut le créer ici ou le choisir dans la liste.",
    "he": "אם הרשת לא הוגדרה, ניתן ליצור אותה כאן או לבחור את השם מהרשימה.",
    "hi": "यदि नेटवर्क सेट नहीं है, तो आप इसे यहाँ बना सकते हैं या सूची से चुन सकते हैं।",
    "hu": "Ha a hálózat nincs beállítva, akkor itt lehet létrehozni, vagy egy listából kell választani.",
    "id": "Jika jaringan tidak diatur, anda dapat membuatnya di sini atau memilih dari daftar ini.",
    "it": "Se la rete non è configurata, si può creare qui oppure scegliere una delle reti dalla lista.",
    "ja": "ネットワークが設定されていない場合は、ここで作成できます。",
    "ko": "네트워크가 설정되어 있지 않으면 여기에서 만들 수 있습니다.",
    "nl": "Als het netwerk niet is ingesteld, kunt u het hier maken of een uit de lijst kiezen.",
    "no": "Hvis nettverket ikke er satt opp, kan du opprette det her eller velge et av dem fra listen.",
    "pl": "Jeśli sieć nie jest ustawiona, można ją utworzyć w tym oknie lub wybrać z listy.",
    "pt": "Se a rede não está configurada, você pode criar uma aqui ou escolher uma das redes da lista.",
    "ro": "Dacă rețeaua nu este configurată, o puteți crea aici sau alege din această listă.",
    "ru": "Если сеть не настроена, её можно создать здесь или выбрать из этого списка.",
    "sr": "Ако мрежа није подешена, можете је направити овде или изабрати са списка.",
    "sv": "Om nätverket inte är inställt kan du skapa det här eller välja ett från listan.",
    "ta": "பிணையம் அமைக்கப்படவில்லை என்றால், நீங்கள் அதை இங்கே உருவாக்கலாம்.",
    "th": "ถ้ายังไม่ได้ตั้งค่าเครือข่าย คุณสามารถสร้างได้ที่นี่",
    "tr": "Ağ ayarlı değil ise burada yeni bir ağ oluşturmak veya listeden seçmek için bu düğme var.",
    "uk": "Якщо мережу не налаштовано, її можна створити тут або вибрати зі списку.",
    "vi": "Nếu mạng chưa được thiết lập, bạn có thể tạo nó ở đây hoặc chọn từ danh sách.",
    "zh": "如果没有设置网络，可以在这里创建，或者从列表中选择一个。",
}  # fmt: skip
CODE = "\n".join(
    f"    def get_{name}(self, value: int) -> None:  # return the {name} of this" for name in "abcdefghijkl"
)


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert detect_language(TEXTS[language]) == language


@pytest.mark.parametrize("language", TEXTS)
def test_code_and_addresses_do_not_count(language: str) -> None:
    fenced = (
        f"```python\n{CODE}\n{CODE}\n```\n\n{TEXTS[language]} `if the value is not in this` <https://a.org/the/is/of>"
    )
    assert detect_language(fenced) == language


def test_names_and_terms_of_another_language_do_not_count() -> None:
    assert detect_language("安装 Docker Compose 插件后，重启 Docker Desktop，然后运行 Kubernetes Dashboard。") == "zh"
    assert detect_language("Después de instalar Docker Compose y Kubernetes Dashboard, reinicie el equipo.") == "es"


@pytest.mark.parametrize("text", ["", "max_tokens=5", "`the of and`", "12", "Docker Kubernetes", "```\nif the of\n"])
def test_what_has_no_sentence_has_no_language(text: str) -> None:
    assert detect_language(text) == UNDETERMINED


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("إِنَّ ٱلۡإِنسَٰنَ لِرَبِّهِۦ لَكَنُودٞ وَإِنَّهُۥ عَلَىٰ ذَٰلِكَ لَشَهِيدٞ", "ar"),
        ("بِسۡمِ ٱللَّهِ ٱلرَّحۡمَٰنِ ٱلرَّحِيمِ ٱلۡحَمۡدُ لِلَّهِ رَبِّ ٱلۡعَٰلَمِينَ", "ar"),
        ("בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ", "he"),
    ],
)
def test_vowel_marks_do_not_matter(text: str, code: str) -> None:
    assert detect_language(text) == code


def test_most_of_a_mixed_text_decides() -> None:
    assert detect_language(f"{TEXTS['en']} {TEXTS['de'] * 3}") == "de"
    assert detect_language(f"{TEXTS['en'] * 3} {TEXTS['ru']}") == "en"


@given(st.text(max_size=400))
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert detect_language(text) in {UNDETERMINED, *CODES.values()}


@pytest.mark.parametrize("lists", [FUNCTION_WORDS, ENDINGS, LETTERS])
def test_every_list_is_of_a_known_language(lists: dict[str, str]) -> None:
    assert set(lists) <= set(CODES)
    assert len(set(CODES.values())) == len(CODES)
