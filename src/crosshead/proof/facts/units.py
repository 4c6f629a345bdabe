"""Words for scales and units, in the languages that answers are mostly written in.

A unit is a family and a factor: 5 min and 300 s are one time. Forms of a word are listed, or found by their beginning
in languages that inflect a lot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple


class MeasureUnit(NamedTuple):
    """What a number counts: a family of units, and how many of its smallest one."""

    family: str
    factor: Decimal


_SCALES: Final = {
    3: "k K tsd tausend thousand thousands mille mil tys тыс тысяч* тис 千",
    4: "万 萬 만",
    6: "M mn mio mln million* millón milion* milhão milhões миллион* млн мільйон* 百万 백만",
    8: "億 亿 억",
    9: "bn mrd mld milliard* billion billions bilhão bilhões миллиард* млрд мільярд* 十億 十亿",
    12: "tn trillion* trn billionen billones триллион* 兆",
}
_UNITS: Final = {
    "percent": {"1": "% percent Prozent prozentig* pour·cent por·ciento por·cento per·cento процент* パーセント"},
    "permille": {"1": "‰ promille"},
    "point": {"1": "pp percentage·point* Prozentpunkt* points·de·pourcentage puntos·porcentuales п.п"},
    "time": {
        "0.000001": "µs us μs microsecond* Mikrosekunde* マイクロ秒 微秒",
        "0.001": "ms msec millisecond* Millisekunde* milliseconde* milisegundo* миллисекунд* мс ミリ秒 毫秒",
        "1": "s sec secs second seconds Sekunde* Sek seconde secondes segundo segundos секунд* сек 秒 秒間 秒钟",
        "60": "min mins minute minutes Minute* minuto* минут* мин 分 分間 分钟 分鐘",
        "3600": "h hr hrs hour hours Stunde* Std heure* hora horas час часа часов 時間 小时 小時",
        "86400": "d day days Tag Tage Tagen jour* día días день дня дней 日 日間 天",
        "604800": "week weeks Woche* semaine* semana* недел* 週間 周 星期",
    },
    "month": {
        "1": "month months Monat* mois mes meses месяц* ヶ月 か月 カ月 个月 個月",
        "3": "quarter quarters Quartal* trimestre*",
        "12": "year years yr yrs Jahr Jahre Jahren ans année* año años год года лет 年 年間",
    },
    "byte": {
        "1": "B byte* octet octets байт* バイト 字节",
        "1000": "kB KB Ko kilobyte* КБ",
        "1024": "KiB kibibyte* kB KB Ko kilobyte* КБ",
        "1000000": "MB Mo megabyte* МБ",
        "1048576": "MiB mebibyte* MB Mo megabyte* МБ",
        "1000000000": "GB Go gigabyte* ГБ",
        "1073741824": "GiB gibibyte* GB Go gigabyte* ГБ",
        "1000000000000": "TB terabyte* ТБ",
        "1099511627776": "TiB tebibyte* TB terabyte* ТБ",
    },
    "bit": {"1": "bit bits бит бита", "1000": "kbit", "1000000": "Mbit", "1000000000": "Gbit"},
    "bitrate": {"1000": "kbps kbit/s kb/s", "1000000": "Mbps Mbit/s Mb/s", "1000000000": "Gbps Gbit/s Gb/s"},
    "hertz": {"1": "Hz hertz", "1000": "kHz", "1000000": "MHz", "1000000000": "GHz"},
    "length": {
        "0.000001": "µm μm",
        "0.001": "mm millimeter* millimetre* Millimeter* millimètre* milímetro* мм",
        "0.01": "cm centimeter* centimetre* Zentimeter* centimètre* centímetro* см",
        "1": "m meter meters metre metres Metern mètre* metro metros метр* メートル 米",
        "1000": "km kilometer* kilometre* Kilometer* kilomètre* kilómetro* км キロ",
    },
    "mile": {"1": "mile miles Meile*"},
    "inch": {"1": "inch inches Zoll pouce* pulgada*", "12": "ft foot feet"},
    "mass": {
        "0.001": "mg milligram*",
        "1": "g gram grams gramme* Gramm gramo* г",
        "1000": "kg kilogram* Kilogramm kilo кг",
        "1000000": "t tonne tonnes Tonne* tonelada*",
    },
    "pound": {"1": "lb lbs"},
    "volume": {"0.001": "ml mL milliliter*", "1": "l L liter* litre* Liter* litro* литр*"},
    "power": {"0.001": "mW", "1": "W watt watts Watt", "1000": "kW", "1000000": "MW", "1000000000": "GW"},
    "energy": {"1": "Wh", "1000": "kWh", "1000000": "MWh", "1000000000": "GWh", "1000000000000": "TWh"},
    "volt": {"0.001": "mV", "1": "V volt volts Volt", "1000": "kV"},
    "ampere": {"0.001": "mA", "1": "ampere* amp amps"},
    "celsius": {"1": "°C degrees·Celsius Grad·Celsius"},
    "fahrenheit": {"1": "°F degrees·Fahrenheit"},
    "pixel": {"1": "px pixel* Pixel*"},
    "dpi": {"1": "dpi ppi"},
    "euro": {"1": "€ EUR euro euros евро ユーロ 欧元"},
    "dollar": {"1": "$ USD US$ dollar dollars US-Dollar* Dollar dólar* доллар* ドル 美元"},
    "sterling": {"1": "£ GBP pound·sterling pounds Pfund"},
    "yen": {"1": "¥ JPY yen Yen 円"},
    "yuan": {"1": "CNY RMB yuan 元"},
    "franc": {"1": "CHF Franken franc francs"},
    "ruble": {"1": "₽ RUB рубл* руб"},
}
CURRENCY_BEFORE = re.compile(r"(?:(US\$|[€$£¥₽])|\b(EUR|USD|GBP|JPY|CNY|CHF|RUB))[ \u00a0\u202f]?$")
_LABELS: Final = {
    3: r"(?:in|en) thousands|in Tsd|en miles\b|in T€|TEUR|T€|k€|\$k\b|[‘’']000|тыс|千円|千元|USDk|EURk",
    6: r"(?:in|en) million|in Mio|en millones|[€$£]\s?m\b|[€$£]\s?mn|[€$£] million|EURm|"
    r"USDm|GBPm|Mio\.? ?(?:€|EUR|Euro)|M€|млн|百万円|million (?:euro|dollar|EUR|USD)",
    9: r"(?:in|en) billion|in Mrd|[€$£]\s?bn\b|EURbn|USDbn|"
    r"Mrd\.? ?(?:€|EUR|Euro)|млрд|十億円|billion (?:euro|dollar|EUR|USD)",
}
_LABEL_PATTERNS: Final = {10**power: re.compile(pattern, re.I) for power, pattern in _LABELS.items()}
_UNSPACED_UNIT = re.compile(r"[%‰€$£¥₽°]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+(?:[-/.$][^\W\d_]+)*")
_LONGEST_UNSPACED: Final = 6


@cache
def _lookup() -> tuple[dict[str, list[MeasureUnit]], dict[str, list[MeasureUnit]], dict[str, int], dict[str, int]]:
    units: dict[str, list[MeasureUnit]] = {}
    unit_beginnings: dict[str, list[MeasureUnit]] = {}
    for family, factors in _UNITS.items():
        for factor, forms in factors.items():
            for form, is_beginning in _forms(forms):
                (unit_beginnings if is_beginning else units).setdefault(form, []).append(
                    MeasureUnit(family, Decimal(factor))
                )
    scales: dict[str, int] = {}
    scale_beginnings: dict[str, int] = {}
    for power, forms in _SCALES.items():
        for form, is_beginning in _forms(forms):
            (scale_beginnings if is_beginning else scales)[form] = power
    return units, unit_beginnings, scales, scale_beginnings


def _forms(forms: str) -> Iterable[tuple[str, bool]]:
    """Yield the forms of a word, and whether each is only its beginning; short ones keep their case: mW is not MW."""
    for form in forms.split():
        beginning = form.removesuffix("*").replace("·", " ")
        yield beginning if len(beginning) < 4 else beginning.casefold(), form.endswith("*")


def scale_of(word: str) -> Decimal | None:
    """Return what a word multiplies a number by: million, Mio, 億."""
    _, _, scales, beginnings = _lookup()
    power = scales.get(word, scales.get(word.casefold()))
    if power is None:
        power = next((beginnings[each] for each in _beginnings(word) if each in beginnings), None)
    return None if power is None else Decimal(10) ** power


def units_of(word: str) -> tuple[MeasureUnit, ...]:
    """Return the units that a word may mean; empty for any other word."""
    units, beginnings, _, _ = _lookup()
    found = units.get(word) or units.get(word.casefold())
    if found is None:
        found = next((beginnings[each] for each in _beginnings(word) if each in beginnings), [])
    return tuple(found)


def _beginnings(word: str) -> Iterable[str]:
    """Yield the beginnings of a word that inflection may leave, longest first."""
    folded = word.casefold()
    return (folded[:length] for length in range(len(folded), max(3, len(folded) - 4), -1))


def word_after(text: str, at: int) -> str:
    """Return the word or sign that follows a number, which may be its scale or unit."""
    if _UNSPACED_UNIT.match(text, at):
        for length in range(_LONGEST_UNSPACED, 0, -1):
            form = text[at : at + length]
            if units_of(form) or scale_of(form):
                return form
    found = _WORD.match(text, at)
    if not found:
        return ""
    second = _WORD.match(text, found.end() + 1) if text[found.end() : found.end() + 1] == " " else None
    if second and units_of(f"{found[0]} {second[0]}"):
        return f"{found[0]} {second[0]}"
    return found[0] if units_of(found[0]) or scale_of(found[0]) else re.split(r"[-/.]", found[0])[0]


def label_scales(text: str) -> list[Decimal]:
    """Return the scales that labels give to the numbers of a table: "in millions", "Mio. €", "'000"."""
    return [Decimal(scale) for scale, pattern in _LABEL_PATTERNS.items() if pattern.search(text)]
