"""What the tests make weir write, compared with the schemas: JSON answers, replay files, certificates, SARIF.

`check_outputs` is called for every run of weir in the tests. SARIF is compared with a schema of our own, which has the
part of the standard that weir writes; if the environment variable SARIF_SCHEMA names a file with the schema of the
standard, with that one, too.
"""

import functools
import json
import os
import pathlib

import jsonschema

SOURCE = pathlib.Path(__file__).parents[2]
SCHEMAS = {
    "answer": SOURCE / "docs/schema/answer.schema.json",
    "replay": SOURCE / "docs/schema/replay.schema.json",
    "certificate": SOURCE / "docs/schema/certificate.schema.json",
    "sarif": SOURCE / "tests/schema/sarif.schema.json",
    "svcomp": SOURCE / "tests/schema/svcomp_witness.schema.json",
}
ANSWERED = (0, 5, 10)  # exit codes of runs whose files are complete


@functools.cache
def validator(path):
    schema = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def mistakes(data, path):
    """What is wrong, one line each."""
    return [f"{'/'.join(map(str, error.absolute_path)) or '(top)'}: {error.message[:300]}"
            for error in validator(path).iter_errors(data)]


def sarif_mistakes(log):
    found = mistakes(log, SCHEMAS["sarif"])
    if "SARIF_SCHEMA" in os.environ:
        found += mistakes(log, os.environ["SARIF_SCHEMA"])
    return found or [mistake for run in log["runs"] for mistake in sarif_run_mistakes(run)]


def sarif_run_mistakes(run):
    """What the standard asks for and a schema cannot say: indices point to what they name, regions do not end before
    they begin, each step of an execution has a number of its own."""
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            yield f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"
        places = result["locations"] + result.get("relatedLocations", [])
        for flow in result.get("codeFlows", []):
            steps = [step for thread in flow["threadFlows"] for step in thread["locations"]]
            places += [step["location"] for step in steps]
            numbers = [step["executionOrder"] for step in steps]
            if len(set(numbers)) != len(numbers):
                yield "two steps of one execution have the same number"
        for place in places:
            if "physicalLocation" in place:
                where = place["physicalLocation"]["artifactLocation"]
                if run["artifacts"][where["index"]]["location"]["uri"] != where["uri"]:
                    yield f"the index of {where['uri']} is that of another file"
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                for replacement in change["replacements"]:
                    region = replacement["deletedRegion"]
                    if (region["endLine"], region["endColumn"]) < (region["startLine"], region["startColumn"]):
                        yield "a region ends before it begins"


def file_mistakes(kind, path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if kind == "sarif":
        return sarif_mistakes(json.loads(text))
    if kind == "svcomp":
        import svcomp
        return svcomp.mistakes(path, text)
    return mistakes(json.loads(text), SCHEMAS[kind])


def option_value(arguments, name):
    for i, argument in enumerate(arguments):
        if argument == name and i + 1 < len(arguments):
            return arguments[i + 1]
        if argument.startswith(name + "="):
            return argument.split("=", 1)[1]
    return None


def output_mistakes(arguments, code, stdout, folder="."):
    """Of one run: what it printed and what it wrote."""
    found = []
    if "--json" in arguments and "--help" not in arguments:
        found += [f"answer: {mistake}" for mistake in mistakes(json.loads(stdout), SCHEMAS["answer"])]
    if code not in ANSWERED:
        return found
    for option, kind in (("--witness", "replay"), ("--certificate", "certificate"), ("--sarif", "sarif"),
                         ("--svcomp-witness", "svcomp")):
        name = option_value(arguments, option)
        path = name and pathlib.Path(folder) / name
        if path and path.is_file() and path.suffix != ".smt2":
            found += [f"{name}: {mistake}" for mistake in file_mistakes(kind, path)]
    return found
