#!/usr/bin/env python3
"""The answer in other forms: pages for the browser, JSON by its schema, SARIF, and witnesses for SV-COMP.

Usage: reports_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from cli_support import DEKKER, ENDLESS, RACE, SOURCE, Cli, validation


class Pages(Cli):
    """--html: one file with the data of the answer; tests/web looks at it in a browser."""

    def data(self, name):
        text = pathlib.Path(self.path(name)).read_text()
        self.assertEqual(text.count("<script"), 2)  # the data and the page's own
        found = re.search(r'<script type="application/json" id="weir-data">([^<]*)</script>', text)
        return json.loads(found.group(1))

    def test_violation(self):
        printed = self.weir("check", "dekker.imp", "--model", "tso", code=10).stdout
        with_page = self.weir("check", "dekker.imp", "--model", "tso", "--html", "p.html", code=10).stdout
        timeless = lambda text: re.sub(r"[\d.]+ s, \d+ MB", "", text)
        self.assertIn("Step by step, in a browser:  weir check dekker.imp --model tso --html", printed)
        self.assertEqual(timeless(with_page), timeless(re.sub(r"Step by step.*\n", "", printed)))
        page = self.data("p.html")
        answer = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", code=10).stdout)
        steps = [step for step in page["executions"][0]["steps"] if not step.get("local")]
        self.assertEqual([step["action"] for step in steps], [step["action"] for step in answer["witness"]])
        self.assertEqual([page["threads"][step["thread"]] for step in steps],
                         [step["thread"] for step in answer["witness"]])
        self.assertEqual(page["sources"], [{"path": "dekker.imp", "text": DEKKER}])
        self.assertEqual(page["commandLine"], "weir check dekker.imp --model tso")

    def test_safe_and_robust_answers_have_pages(self):
        self.weir("check", "dekker.imp", "--html", "p.html", "-q", code=0)
        self.assertEqual(self.data("p.html")["executions"], [])
        self.weir("robust", "dekker.imp", "--all", "--html", "p.html", "-q", code=10)
        self.assertEqual(len(self.data("p.html")["executions"]), 2)
        self.weir("fence", "dekker.imp", "--html", "p.html", "-q", code=0)
        self.assertEqual([fence["line"] for fence in self.data("p.html")["fences"]], [6, 12])

    def test_fences_in_place(self):
        for command in (("check", "--model", "tso"), ("check", "--model", "pso"), ("robust",)):
            self.weir(command[0], "dekker.imp", *command[1:], "--html", "p.html", "-q", code=10)
            self.assertEqual([fence["line"] for fence in self.data("p.html")["fences"]], [6, 12])
        self.weir("check", "dekker.imp", "--model", "tso", "-n", "2", "--html", "p.html", "-q", code=10)
        self.assertEqual(self.data("p.html")["fences"], [])

    def test_array_systems(self):
        self.weir("check", str(SOURCE / "examples/array/dijkstra.cub"), "--html", "p.html", "-q", code=0)
        self.assertEqual(self.data("p.html")["executions"], [])
        bug = str(SOURCE / "examples/array/mesi_bug.cub")
        self.weir("check", bug, "--html", "p.html", "-q", code=10)
        page = self.data("p.html")
        answer = json.loads(self.weir("check", bug, "--json", code=10).stdout)
        steps = [step for step in page["executions"][0]["steps"] if not step.get("local")]
        self.assertEqual([step["text"] for step in steps],
                         [f"{step['transition']}: {step['effect']}" for step in answer["witness"]])
        self.assertEqual([page["threads"][step["thread"]] for step in steps], ["#2", "#1", "#1"])

    def test_outcomes_of_c_programs(self):
        self.write("sb.c", """#include <pthread.h>
#include <stdlib.h>
int x, stop;
static void *late(void *unused) { x = 2; return unused; }
int main(int argc, char **argv) {
  pthread_t t;
  x = 1;
  if (stop) pthread_create(&t, 0, late, 0);
  return 0;
}
""")
        self.weir("outcomes", "sb.c", "--model", "sc,tso", "--html", "p.html", "-q", code=0)
        (execution,) = self.data("p.html")["executions"]  # with a thread that is never created
        self.assertEqual(execution["title"], "x=1, stop=0")

    def test_replay_shows_what_the_file_has(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        self.weir("replay", "w.json", "--html", "p.html", code=10)
        self.assertIn("x := 1;", self.data("p.html")["sources"][0]["text"])

    def test_where_there_is_none(self):
        self.write("s.aut", 'des (0, 1, 1)\n(0, "a", 0)\n')
        self.fails(1, "--html shows executions of programs", "fair", "s.aut", "--html", "p.html")
        self.fails(2, "no/such/folder", "check", "dekker.imp", "--html", "no/such/folder/p.html")


CHOICE = """#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "choice.c", 4, "reach_error"); }
int x, y;
static void *writer(void *arg) {
  x = y + 1;
  return arg;
}
int main(void) {
  pthread_t t;
  y = __VERIFIER_nondet_int();
  pthread_create(&t, 0, writer, 0);
  if (x == 3) reach_error();
  pthread_join(t, 0);
  return 0;
}
"""


class Schemas(Cli):
    """The schemas refuse what the answers are compared with them for. That all answers fit is checked for each run."""

    def test_misspelt_and_missing_fields_are_found(self):
        answer = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", code=10).stdout)
        schema = validation.SCHEMAS["answer"]

        def broken(change):
            copy = json.loads(json.dumps(answer))
            change(copy)
            return validation.mistakes(copy, schema)

        self.assertEqual(broken(lambda a: None), [])
        for change in (lambda a: a.update(verdic="safe"), lambda a: a.pop("model"), lambda a: a.pop("witness"),
                       lambda a: a["witness"][0].update(buferred=True), lambda a: a["witness"][0].pop("buffered"),
                       lambda a: a["violation"].update(kind="other"), lambda a: a.update(traces=1),
                       lambda a: a["stats"].pop("states"), lambda a: a.update(verdict="safe"),
                       lambda a: a.update(command="chek"), lambda a: a.update(schema=2)):
            self.assertNotEqual(broken(change), [])

    def test_replay_files(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        replay = json.loads(pathlib.Path(self.path("w.json")).read_text())
        self.assertEqual(validation.mistakes(replay, validation.SCHEMAS["replay"]), [])
        for change in (lambda r: r.update(schema=2), lambda r: r["steps"][0].pop("thread"),
                       lambda r: r["steps"][0].update(tread=1), lambda r: r.pop("model"),
                       lambda r: r.update(starvation={})):
            copy = json.loads(json.dumps(replay))
            change(copy)
            self.assertNotEqual(validation.mistakes(copy, validation.SCHEMAS["replay"]), [])


class Sarif(Cli):
    def log(self, *arguments, code):
        self.weir(*arguments, "--sarif", "out.sarif", "-q", code=code)
        return json.loads(pathlib.Path(self.path("out.sarif")).read_text())["runs"][0]

    def test_violation(self):
        run = self.log("check", "dekker.imp", "--model", "tso", code=10)
        self.assertEqual(run["invocations"][0]["exitCode"], 10)
        self.assertEqual(run["properties"]["model"], "tso")
        (result,) = run["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("forbidden", "error"))
        flows = result["codeFlows"][0]["threadFlows"]
        self.assertEqual({flow["id"] for flow in flows}, {"P", "Q"})
        # The steps of all threads together are those of the explanation, in its order.
        steps = sorted((step["executionOrder"], step["location"]["message"]["text"]) for flow in flows
                       for step in flow["locations"])
        explained = self.weir("explain", "dekker.imp", "--model", "tso", code=10).stdout
        for number, text in steps:
            shown = text.split(" [")[0]
            self.assertRegex(explained, "-- at cs" if shown == "at cs" else rf"(?m)^ *{number} .*{re.escape(shown)}")

    def test_no_violation_and_no_answer(self):
        self.assertEqual(self.log("check", "dekker.imp", code=0)["results"], [])
        self.write("endless.weir", ENDLESS)
        run = self.log("check", "endless.weir", "--timeout", "0.5", code=5)
        self.assertEqual(run["results"], [])
        self.assertIn("time limit", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_race_has_both_accesses(self):
        self.write("race.c", RACE)
        (result,) = self.log("check", "race.c", "--races", code=10)["results"]
        places = [(place["physicalLocation"]["region"]["startLine"], place["message"]["text"])
                  for place in result["relatedLocations"]]
        self.assertEqual(sorted(places), [(4, "thread t1 writes x"), (10, "thread main reads x")])
        text = self.weir("check", "race.c", "--races", code=10).stdout
        self.assertIn("race.c:4:5: note: thread t1 writes x here\n    4 |   x = 1;", text)
        self.assertIn("note: thread main reads x here\n   10 |   y = x;", text)

    def test_attacks(self):
        run = self.log("robust", "sb.trn", "--all", code=10)
        self.assertEqual([result["ruleId"] for result in run["results"]], ["robustness"] * 2)
        self.assertEqual([place["physicalLocation"]["region"]["startLine"]
                          for place in run["results"][0]["relatedLocations"]], [3, 4])

    def apply(self, fix):
        """What an editor does with a fix: replaces regions, the last one first."""
        for change in fix["artifactChanges"]:
            path = pathlib.Path(self.path(change["artifactLocation"]["uri"]))
            lines = path.read_text().split("\n")

            def offset(line, column):
                return sum(len(text) + 1 for text in lines[:line - 1]) + column - 1

            text = path.read_text()
            edits = [(offset(r["deletedRegion"]["startLine"], r["deletedRegion"]["startColumn"]),
                      offset(r["deletedRegion"]["endLine"], r["deletedRegion"]["endColumn"]),
                      r["insertedContent"]["text"]) for r in change["replacements"]]
            for start, end, inserted in sorted(edits, reverse=True):
                text = text[:start] + inserted + text[end:]
            path.write_text(text)

    def test_fences_are_a_fix_that_works(self):
        self.write("sb.c", (SOURCE / "tests/cmake/main.c").read_text() + "\n"
                   + (SOURCE / "tests/cmake/other.c").read_text().replace("int x, y, saw_x;", "", 1))
        text = pathlib.Path(self.path("sb.c")).read_text().replace("extern int", "int")
        self.write("sb.c", "// Über: a line that is longer in bytes than in characters\n" + text)
        for name in ("dekker.imp", "sb.trn", "sb.c"):
            with self.subTest(name):
                (result,) = self.log("fence", name, "--for", "safety", code=0)["results"]
                self.assertEqual(len(result["codeFlows"]), len(result["relatedLocations"]))
                self.apply(result["fixes"][0])
                self.weir("check", name, "--model", "tso", "-q", code=0)
                self.assertEqual(self.log("fence", name, "--for", "safety", code=0)["results"], [])

    def test_other_commands(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        again = self.log("replay", "w.json", code=10)
        self.assertEqual(again["results"][0]["ruleId"], "forbidden")
        shutil.copy(SOURCE / "examples/array/bakery_bug.cub", self.path("bug.cub"))
        self.assertEqual(self.log("check", "bug.cub", code=10)["results"][0]["ruleId"], "unsafe")
        self.write("choice.c", CHOICE)
        run = self.log("explore", "choice.c", "--stop", code=10)
        self.assertEqual(run["properties"]["verdict"], "unsafe")
        self.assertEqual(self.log("explain", "dekker.imp", "--model", "pso", code=10)["properties"]["model"], "pso")
        shutil.copy(SOURCE / "examples/simplified_dekker.imp", self.path("loop.imp"))
        starved = self.log("fair", "loop.imp", "--request", "P0:2", "--grant", "P0:5", "--model", "tso", code=10)
        self.assertEqual(json.dumps(starved["results"]).count("from here on, again and again"), 1)
        self.assertEqual(self.log("fence", "loop.imp", "--for", "safety", "--invariant", "flag_0 == 0", code=10)
                         ["results"][0]["ruleId"], "unsafe")
        self.fails(2, "cannot write /nowhere/o.sarif", "check", "dekker.imp", "--sarif", "/nowhere/o.sarif")

    def test_paths(self):
        """Relative where they can be, and always URIs."""
        os.mkdir(self.path("a b"))
        self.write("a b/50%.imp", DEKKER)
        run = self.log("check", "a b/50%.imp", code=0)
        self.assertEqual(run["artifacts"][0]["location"], {"uri": "a%20b/50%25.imp", "uriBaseId": "%SRCROOT%"})
        run = self.log("check", self.path("dekker.imp"), code=0)
        self.assertEqual(run["artifacts"][0]["location"]["uri"], "dekker.imp")
        with tempfile.TemporaryDirectory() as other:
            shutil.copy(self.path("dekker.imp"), other)
            uri = self.log("check", other + "/dekker.imp", code=0)["artifacts"][0]["location"]["uri"]
            self.assertEqual(uri, f"file://{other}/dekker.imp")

    def test_c_files_elsewhere_keep_their_path(self):
        """The compiler names files from a folder it shares with them; that is not what the user wrote."""
        os.mkdir(self.path("here"))
        self.write("race.c", RACE)
        answer = self.weir("check", self.path("race.c"), "--races", "--json", code=10, cwd=self.path("here"))
        self.assertEqual(json.loads(answer.stdout)["violation"]["file"], self.path("race.c"))


class SvcompWitness(Cli):
    def entry(self, name, *arguments, code):
        import yaml
        self.weir("check", name, *arguments, "--svcomp-witness", "w.yml", "-q", code=code)
        (entry,) = yaml.safe_load(pathlib.Path(self.path("w.yml")).read_text())
        return entry

    def test_violation_in_yaml(self):
        self.write("choice.c", CHOICE)
        entry = self.entry("choice.c", code=10)
        self.assertEqual(entry["entry_type"], "violation_sequence")
        self.assertIn("reach_error", entry["metadata"]["task"]["specification"])
        points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
        self.assertEqual((points[0]["type"], points[0]["constraint"]["value"]), ("function_return", r"\result == 2"))
        self.assertEqual((points[0]["location"]["line"], points[0]["location"]["column"]), (12, 29))
        # Lines in the order in which threads pass them; the target is the call, not what the function does.
        self.assertEqual([(point["thread_id"], point["location"]["line"]) for point in points],
                         [(0, 12), (0, 13), (1, 7), (0, 14), (0, 14)])
        self.assertEqual((points[-1]["type"], points[-1]["location"]["column"]), ("target", 15))

    def test_race_has_two_targets(self):
        self.write("race.c", RACE)
        entry = self.entry("race.c", "--races", code=10)
        targets = [item["waypoint"] for item in entry["content"][-1]["segment"]]
        self.assertEqual(sorted((t["thread_id"], t["location"]["line"]) for t in targets), [(0, 10), (1, 4)])

    def test_graphml(self):
        self.write("choice.c", CHOICE)
        self.weir("check", "choice.c", "--svcomp-witness", "w.graphml", "-q", code=10)
        text = pathlib.Path(self.path("w.graphml")).read_text()
        for part in ('<data key="createThread">1</data>', '<data key="enterFunction">writer</data>',
                     '<data key="assumption">\\result == 2;</data>', '<data key="witness-type">violation_witness</data>'):
            self.assertIn(part, text)

    def test_data_model(self):
        self.write("choice.c", CHOICE)
        for option, name, bits in (("-m64", "LP64", "64bit"), ("-m32", "ILP32", "32bit")):
            for file, part in (("w.yml", f"data_model: {name}"), ("w.graphml", f'"architecture">{bits}<')):
                self.weir("check", "choice.c", "--svcomp-witness", file, "-q", "--", option, code=10)
                self.assertIn(part, pathlib.Path(self.path(file)).read_text())

    def test_correctness(self):
        self.write("fine.c", RACE.replace("y = x;", ""))
        self.assertEqual(self.entry("fine.c", code=0)["entry_type"], "invariant_set")
        self.weir("check", "fine.c", "--svcomp-witness", "w.graphml", "-q", code=0)
        self.assertIn("correctness_witness", pathlib.Path(self.path("w.graphml")).read_text())

    def test_what_cannot_be_said(self):
        self.write("race.c", RACE)
        self.fails(1, "is for C programs", "check", "dekker.imp", "--svcomp-witness", "w.yml")
        self.fails(1, "the suffix says which format", "check", "race.c", "--svcomp-witness", "w.json")
        self.fails(1, "sequential consistency only", "check", "race.c", "--model", "tso", "--svcomp-witness", "w.yml")
        self.write("stuck.c", "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                   "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }\n")
        result = self.weir("check", "stuck.c", "--svcomp-witness", "w.yml", code=10)
        self.assertIn("no witness for SV-COMP", result.stderr)
        self.assertFalse(os.path.exists(self.path("w.yml")))

    def test_checker_of_witnesses_finds_mistakes(self):
        import svcomp
        self.write("choice.c", CHOICE)
        self.weir("check", "choice.c", "--svcomp-witness", "w.graphml", "-q", code=10)
        text = pathlib.Path(self.path("w.graphml")).read_text()
        for old, new in (('<data key="createThread">1</data>', ""), ("programhash", "programmhash"),
                         ('target="N3"', 'target="N4"'), ('<data key="entry">true</data>', "")):
            self.assertIn(old, text)
            self.assertNotEqual(list(svcomp.graphml_mistakes(text.replace(old, new))), [], old)


if __name__ == "__main__":
    unittest.main()
