"""Rules of SV-COMP's witnesses: those of YAML in svcomp_witness.schema.json and here, those of GraphML here."""

import hashlib
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import yaml

import validation

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
GRAPH_DATA = {"witness-type", "witness-format-version", "sourcecodelang", "producer", "specification", "programfile",
              "programhash", "architecture", "creationtime"}
NODE_DATA = {"entry", "violation"}
EDGE_DATA = {"threadId", "createThread", "enterFunction", "startline", "startoffset", "assumption",
             "assumption.resultfunction"}


def mistakes(path, text):
    return list(graphml_mistakes(text) if str(path).endswith(".graphml") else yaml_mistakes(text, path))


def yaml_mistakes(text, path):
    data = yaml.safe_load(text)
    found = validation.mistakes(data, validation.SCHEMAS["svcomp"])
    if found:
        return found
    return [mistake for entry in data for mistake in entry_mistakes(entry, pathlib.Path(path).parent)]


def entry_mistakes(entry, folder):
    task = entry["metadata"]["task"]
    if set(task["input_files"]) != set(task["input_file_hashes"]):
        yield "the hashes are not those of the input files"
    for name, digest in task["input_file_hashes"].items():
        if (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            yield f"{name} has another hash"
    segments = [[item["waypoint"] for item in entry["segment"]] for entry in entry["content"]]
    for number, segment in enumerate(segments):
        targets = [waypoint for waypoint in segment if waypoint["type"] == "target"]
        last = number + 1 == len(segments)
        if bool(targets) != last or (last and len(targets) != len(segment)):
            yield "targets stand in the last segment, and nothing else does"
        if not last and len(segment) != 1:
            yield "a segment has one waypoint to follow"
        if last and len(targets) != (2 if "data-race" in task["specification"] else 1):
            yield f"there are {len(targets)} targets"


def data_of(element):
    return {data.get("key"): data.text for data in element.findall(NAMESPACE + "data")}


def graphml_mistakes(text):
    """The rules of the description: declared keys, required data, one entry, a path from it to the violation, threads
    that are created before they move, lines that are numbers."""
    root = ElementTree.fromstring(text)
    graph = root.find(NAMESPACE + "graph")
    declared = {(key.get("id"), key.get("for")) for key in root.findall(NAMESPACE + "key")}
    for element, owner in [(graph, "graph")] + [(node, "node") for node in graph.findall(NAMESPACE + "node")] + [
            (edge, "edge") for edge in graph.findall(NAMESPACE + "edge")]:
        for key in data_of(element):
            if (key, owner) not in declared:
                yield f"{key} is not declared for a {owner}"
    head = data_of(graph)
    if set(head) != GRAPH_DATA:
        yield f"the graph says {sorted(head)}"
        return
    if not re.fullmatch(r"[0-9a-f]{64}", head["programhash"]):
        yield "programhash is no SHA-256"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", head["creationtime"]):
        yield f"creationtime is {head['creationtime']}"
    nodes = {node.get("id"): data_of(node) for node in graph.findall(NAMESPACE + "node")}
    edges = graph.findall(NAMESPACE + "edge")
    entries = [name for name, data in nodes.items() if data.get("entry") == "true"]
    violations = [name for name, data in nodes.items() if data.get("violation") == "true"]
    if len(entries) != 1:
        yield f"there are {len(entries)} entries"
        return
    if head["witness-type"] == "correctness_witness":
        if violations or edges:
            yield "a correctness witness has no violation"
        return
    if len(violations) != 1:
        yield f"there are {len(violations)} violations"
        return
    threads, here = set(), entries[0]
    for edge in edges:
        data = data_of(edge)
        if not set(data) <= EDGE_DATA:
            yield f"an edge says {sorted(data)}"
        if edge.get("source") != here:
            yield f"the path is broken at {here}"
        here = edge.get("target")
        if "threadId" in data and data["threadId"] not in threads:
            yield f"thread {data['threadId']} moves before it is created"
        if "createThread" in data:
            threads.add(data["createThread"])
        if "startline" in data and int(data["startline"]) < 1:
            yield "startline counts from 1"
        if ("\\result" in (data.get("assumption") or "")) != ("assumption.resultfunction" in data):
            yield "\\result goes with its function"
    if here != violations[0]:
        yield "the path does not end at the violation"
