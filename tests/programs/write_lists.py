"""Writes one list of players as XLSX, ODS and XLS into the folder that is named."""

import sys
from pathlib import Path

import openpyxl
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

ROWS = [
    ["Verein", "Nachname", "Vorname", "E-Mail", "Nummer"],
    [3, "Müller", "Jürgen", "jm@example.org", "00017"],
    [3, "Dvořáková", "Łucja", "ld@example.org", 1018],
    [3, "Ångström", "Søren", "", 12345678],
]

folder = Path(sys.argv[1])

book = openpyxl.Workbook()
for row in ROWS:
    book.active.append(row)
book.save(folder / "members.xlsx")

old = xlwt.Workbook(encoding="utf-8")
sheet = old.add_sheet("Members")
for at, row in enumerate(ROWS):
    for column, value in enumerate(row):
        sheet.write(at, column, value)
old.save(str(folder / "members.xls"))

free = OpenDocumentSpreadsheet()
table = Table(name="Members")
for row in ROWS:
    line = TableRow()
    for value in row:
        number = not isinstance(value, str)
        cell = TableCell(valuetype="float", value=value) if number else TableCell(valuetype="string")
        cell.addElement(P(text=str(value)))
        line.addElement(cell)
    table.addElement(line)
free.spreadsheet.addElement(table)
free.save(str(folder / "members.ods"))
