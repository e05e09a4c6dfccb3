#!/usr/bin/env python3
"""Makes src/model/country_table.c: python3 src/model/country/make.py REGIONS.tsv ISO_3166-2.json >src/model/country_table.c

REGIONS.tsv: per region alpha2, alpha3, name, used, required, area_label, postal_label, locality_label, postal_example,
from the region table of libaddressinput (June 2025, CC-BY 4.0) and the names and codes of iso-codes 4.15.
ISO_3166-2.json: /usr/share/iso-codes/json/iso_3166-2.json of the Debian package iso-codes.
"""
import csv, json, sys

LISTED = ["US", "CA", "AU", "BR", "IN", "MX", "IT", "ES"]
# Kinds of subdivision that are no part of an address, where a country has several layers.
SKIP = {"IT": {"Region", "Autonomous region"}, "ES": {"Autonomous community"}}

def text(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'

rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
areas = json.load(open(sys.argv[2], encoding="utf-8"))["3166-2"]
print("/* Made by src/model/country/make.py; do not edit. Address fields, labels and examples: region table of\n"
      " * libaddressinput, June 2025, CC-BY 4.0. Names, codes and subdivisions: iso-codes 4.15. */")
print('#include "model/country.h"\n\n#include "country_table.h"\n')
print("/* clang-format off */")
print("const struct country country_table[] = {")
for r in rows:
    print("    {%s}," % ", ".join(text(r[k] or "") for k in (
        "alpha2", "alpha3", "name", "used", "required", "area_label", "postal_label", "locality_label",
        "postal_example")))
print("};\nconst size_t country_table_n = sizeof country_table / sizeof *country_table;\n")
print("const struct country_area country_areas_table[] = {")
for country in LISTED:
    own = [a for a in areas if a["code"].startswith(country + "-") and a.get("type") not in SKIP.get(country, ())]
    for a in sorted(own, key=lambda a: a["name"]):
        print("    {%s, %s, %s}," % (text(country), text(a["code"][3:]), text(a["name"])))
print("};\nconst size_t country_areas_n = sizeof country_areas_table / sizeof *country_areas_table;")
print("/* clang-format on */")
