"""A small document of each format that programs write, made by code."""

from __future__ import annotations

from tests.extract.readers.office.xls_files import XLS
from tests.extract.readers.opendocument_files import ODP, ODS, ODT
from tests.extract.readers.test_msg import MSG
from tests.extract.readers.test_rtf import RTF
from tests.extract.test_containers import mail

SAMPLES = {
    "odt": ODT,
    "ods": ODS,
    "odp": ODP,
    "rtf": RTF,
    "xls": XLS,
    "msg": MSG,
    "email": mail(report_md=b"# Report\n"),
}
