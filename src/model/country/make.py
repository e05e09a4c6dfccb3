#!/usr/bin/env python3
"""Makes src/model/country_table.c and src/model/country_areas.c:
python3 src/model/country/make.py REGIONS.tsv ISO_3166-2.json src/model/country/forms.tsv src/model

REGIONS.tsv: per region alpha2, alpha3, name, used, required, area_label, postal_label, locality_label, postal_example,
from the region table of libaddressinput (June 2025, CC-BY 4.0) and the names and codes of iso-codes 4.15.
ISO_3166-2.json: /usr/share/iso-codes/json/iso_3166-2.json of the Debian package iso-codes.
forms.tsv: in which order a region writes its fields (the formats of the same region table), and its calling code (ITU).
"""
import csv, json, sys

LISTED = ["US", "CA", "AU", "BR", "IN", "MX", "IT", "ES"]
# Kinds of subdivision that are no part of an address, where a country has several layers.
SKIP = {"IT": {"Region", "Autonomous region"}, "ES": {"Autonomous community"}, "ID": {"Geographical unit"}}

def text(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'

rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
areas = json.load(open(sys.argv[2], encoding="utf-8"))["3166-2"]
forms = {r["alpha2"]: r for r in csv.DictReader(open(sys.argv[3], encoding="utf-8"), delimiter="\t")}

def own(country):
    return [a for a in areas if a["code"].startswith(country + "-") and a.get("type") not in SKIP.get(country, ())]

# Beside the named ones: where an area is usually needed and its codes are letters, not numbers; not where addresses
# are written in another script, of which the codes say nothing.
OTHER_SCRIPT = {"CN", "IQ", "RU", "TW"}
LISTED += [r["alpha2"] for r in rows if r["alpha2"] not in {*LISTED, *OTHER_SCRIPT} and "S" in (r["required"] or "") and
           own(r["alpha2"]) and all(a["code"][3:].isalpha() and not a.get("parent") for a in own(r["alpha2"]))]
for r in rows:
    order = forms[r["alpha2"]]["order"]
    r["used"] = order + "".join(c for c in r["used"] if c not in order)
    r["calling"] = forms[r["alpha2"]]["calling"]

def begin(name):
    out = open(sys.argv[4] + "/" + name, "w", encoding="utf-8")
    out.write("/* Made by src/model/country/make.py; do not edit. Address fields, labels and examples: region table of\n"
              " * libaddressinput, June 2025, CC-BY 4.0. Names, codes and subdivisions: iso-codes 4.15. Calling codes: ITU. */\n"
              '#include "country_table.h"\n\n/* clang-format off */\n')
    return out

def end(out, name):
    out.write("};\nconst size_t %s_n = sizeof %s / sizeof *%s;\n/* clang-format on */\n" % (name, name, name))
    out.close()

out = begin("country_table.c")
out.write("const struct country country_table[] = {\n")
for r in rows:
    out.write("    {%s},\n" % ", ".join(text(r[k] or "") for k in (
        "alpha2", "alpha3", "name", "used", "required", "area_label", "postal_label", "locality_label",
        "postal_example", "calling")))
end(out, "country_table")

out = begin("country_areas.c")
out.write("const struct country_area country_areas_table[] = {\n")
for country in LISTED:
    for a in sorted(own(country), key=lambda a: a["name"]):
        out.write("    {%s, %s, %s},\n" % (text(country), text(a["code"][3:]), text(a["name"])))
end(out, "country_areas_table")
