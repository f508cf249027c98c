#!/usr/bin/env python3
"""weir consistent: instances by every algorithm, orders and cycles that explain, limits and mistakes.

Usage: consistent_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import unittest

from cli_support import SOURCE, Cli


class Consistent(Cli):
    """weir consistent: the examples, what they say about themselves, and bad instances."""
    EXPECTED = {  # sc, tso, pso
        "store_buffering": (10, 0, 0), "message_passing": (10, 10, 0), "message_passing_store_fence": (10, 10, 10),
        "counter": (10, 10, 10), "lock": (10, 10, 10), "fibonacci": (0, 0, 0), "fibonacci_too_fast": (10, 10, 10)}

    def example(self, name):
        return str(SOURCE / "examples/consistency" / (name + ".json"))

    def instance(self, *threads, **more):
        text = json.dumps({"threads": {f"P{i}": events for i, events in enumerate(threads)}, **more}, indent=1)
        return self.write("instance.json", text)

    def test_examples_by_every_algorithm(self):
        for name, codes in self.EXPECTED.items():
            for model, code in zip(("sc", "tso", "pso"), codes):
                for options in ((), ("--no-closure",), ("--algorithm", "naive"), ("--algorithm", "naive", "--no-closure")):
                    self.weir("consistent", self.example(name), "--model", model, *options, code=code)

    def test_witness_is_readable(self):
        text = self.weir("consistent", self.example("store_buffering"), "--model", "tso", code=0).stdout
        self.assertIn("CONSISTENT under tso: 6 steps in this order", text)
        self.assertRegex(text, r"P0  write x = 1  enters the buffer")
        self.assertRegex(text, r"P1  read x = 0   reads the initial write")
        self.assertRegex(text, r"P0  write x = 1  reaches memory")

    def test_cycle_explains(self):
        text = self.weir("consistent", self.example("message_passing"), "--model", "tso", code=10).stdout
        self.assertIn("INCONSISTENT under tso: 4 steps would each have to precede the next", text)
        self.assertIn("because the stores of a buffer reach memory in order", text)
        self.assertIn("because it reads the initial write, which the latter overwrites", text)

    def test_json_is_the_contract(self):
        answer = json.loads(self.weir("consistent", self.example("store_buffering"), "--model", "tso", "--json",
                                      code=0).stdout)
        self.assertEqual((answer["command"], answer["verdict"], answer["model"]), ("consistent", "consistent", "tso"))
        self.assertEqual(sorted(step["action"] for step in answer["witness"]),
                         ["flush", "flush", "load", "load", "store", "store"])
        answer = json.loads(self.weir("consistent", self.example("store_buffering"), "--json", code=10).stdout)
        self.assertEqual((answer["verdict"], answer["witness"]), ("inconsistent", []))
        for edge, following in zip(answer["cycle"], answer["cycle"][1:] + answer["cycle"][:1]):
            self.assertEqual(edge["to"], following["from"])

    def test_several_sources_need_sc(self):
        self.weir("consistent", self.example("good_writes"), code=0)
        self.assertIn("good_writes.json:15:7", self.fails(2, "every read needs exactly one source", "consistent",
                                                          self.example("good_writes"), "--model", "tso"))

    def test_failed_compare_and_swap_drains(self):
        for success, code in ((True, 10), (False, 10)):
            swap = {"op": "cas", "variable": "z", "value": 0, "success": success}
            file = self.instance(
                [{"op": "write", "variable": "x", "value": 1}, dict(swap, variable="z0"),
                 {"op": "read", "variable": "y", "value": 0}],
                [{"op": "write", "variable": "y", "value": 1}, dict(swap, variable="z1"),
                 {"op": "read", "variable": "x", "value": 0}])
            self.weir("consistent", file, "--model", "tso", code=code)

    def test_own_thread_contradicts(self):
        file = self.instance([{"op": "write", "variable": "x", "value": 1, "id": "a"},
                              {"op": "read", "variable": "x", "value": 0, "from": "initial"}])
        for model in ("tso", "pso"):
            self.assertIn("its own thread has written P0: write x = 1 (a) in between",
                          self.weir("consistent", file, "--model", model, code=10).stdout)

    def test_limits(self):
        threads = [[{"op": "write", "variable": f"v{t}_{i}"} for i in range(30)] for t in range(4)]
        threads[0][28]["id"], threads[0][29]["id"] = "a", "b"
        threads.append([{"op": "read", "variable": "v0_29", "from": "b"}, {"op": "read", "variable": "v0_28", "from": "initial"}])
        file = self.instance(*threads)
        self.weir("consistent", file, "--model", "tso", code=10)
        self.assertIn("UNKNOWN under tso: ", self.weir("consistent", file, "--model", "tso", "--algorithm", "naive",
                                                       "--no-closure", "--timeout", "0.3", "-q", code=5).stdout)

    def test_bad_instances(self):
        read = {"op": "read", "variable": "x", "from": "initial"}
        for message, place, text in (
                ("this is not JSON", "1:14", '{"threads": [}'),
                ("this is not JSON", "1:1", ""),
                ('"threads" is missing', "1:1", "{}"),
                ("an instance is an object, not a list", "1:1", "[]"),
                ('an instance has no "thread"', "1:2", '{"thread": {}}'),
                ("a thread is a list, not a string", "1:19", '{"threads": {"P": "x"}}'),
                ('"op" is missing', "2:2", '{"threads": {"P": [\n {}]}}'),
                ('there is no operation "load"', "1:27", '{"threads": {"P": [{"op": "load"}]}}'),
                ('no event has the id "w"', "1:60", '{"threads": {"P": [{"op": "read", "variable": "x", "from": "w"}]}}'),
                ("nobody writes 3 to x", "1:61", '{"threads": {"P": [{"op": "read", "variable": "x", "value": 3}]}}'),
                ("what does it read?", "1:20", '{"threads": {"P": [{"op": "read", "variable": "x"}]}}'),
                ('"value" is an integer, not a number that is no 64-bit integer', "1:62",
                 '{"threads": {"P": [{"op": "write", "variable": "x", "value": 1.5}]}}'),
                ('the key "op" is given twice', "1:36", '{"threads": {"P": [{"op": "fence", "op": "fence"}]}}'),
                ("nested too deeply", "1:76", '{"threads": ' + "[" * 100000)):
            with self.subTest(message):
                self.write("bad.json", text)
                self.assertIn(f"bad.json:{place}:", self.fails(2, message, "consistent", "bad.json"))
        for message, events in (
                ("the read returns 1, but \"a\" writes 2",
                 [{"op": "write", "id": "a", "variable": "x", "value": 2}, dict(read, value=1, **{"from": "a"})]),
                ('"a" writes y, but x is read', [{"op": "write", "id": "a", "variable": "y"}, dict(read, **{"from": "a"})]),
                ('"a" writes nothing', [dict(read, id="a"), dict(read, **{"from": "a"})]),
                ('two events have the id "a"', [dict(read, id="a"), dict(read, id="a")]),
                ("does not read what it writes itself", [{"op": "rmw", "id": "a", "variable": "x", "from": "a"}]),
                ("used as a mutex and as a variable", [read, {"op": "lock", "variable": "x", "from": "initial"}]),
                ("a lock waits for an unlock", [{"op": "lock", "id": "a", "variable": "m", "from": "initial"},
                                                {"op": "lock", "variable": "m", "from": "a"}])):
            with self.subTest(message):
                self.fails(2, message, "consistent", self.instance(events))
        self.fails(1, "takes one file", "consistent", "a.json", "b.json")


if __name__ == "__main__":
    unittest.main()
