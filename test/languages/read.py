"""Reads every value with the class that was generated for its model, writes it again, and says where the two differ."""

import json
import sys

import models


def functions(ending):
    names = [name for name in dir(models) if name.endswith(ending)]
    return {name[: -len(ending)].replace("_", ""): getattr(models, name) for name in names}


readers = functions("_from_dict")
writers = functions("_to_dict")
problems = []
values = json.load(sys.stdin)
for place, model, value in values:
    try:
        read = readers[model.lower()](value)
        if writers[model.lower()](read) != value:
            problems.append([place, "it is another after it was read"])
    except Exception as error:
        problems.append([place, repr(error)])
json.dump({"read": len(values), "problems": problems}, sys.stdout)
