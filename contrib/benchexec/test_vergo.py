"""Tests of the tool-info module: `python3 -m unittest` in this folder. BenchExec is not needed."""

import types
import unittest

import vergo


def run(output, code=0):
    return types.SimpleNamespace(output=output, exit_code=types.SimpleNamespace(value=code))


def task(prp="p/unreach-call.prp", model="ILP32"):
    options = {"language": "C", "data_model": model} if model else {}
    return types.SimpleNamespace(property_file=prp, options=options, input_files_or_identifier=["a.i"])


NO_LIMITS = types.SimpleNamespace(cputime=None, memory=None)


class VergoTest(unittest.TestCase):
    def setUp(self):
        self.tool = vergo.Tool()

    def test_command(self):
        self.assertEqual(
            self.tool.cmdline("vergo", ["--engine", "bmc"], task(), NO_LIMITS),
            ["vergo", "check", "--engine", "bmc", "--property", "p/unreach-call.prp", "--data-model", "ILP32", "a.i"],
        )

    def test_limits_are_passed_on(self):
        limits = types.SimpleNamespace(cputime=900, memory=15_000_000_000)
        command = self.tool.cmdline("vergo", [], task(model=None), limits)
        self.assertEqual(command[command.index("--timeout") + 1], "898")
        self.assertEqual(command[command.index("--memory") + 1], str(13_500_000_000 >> 20))
        self.assertNotIn("--data-model", command)
        own = self.tool.cmdline("vergo", ["--timeout", "5"], task(), limits)
        self.assertEqual(own.count("--timeout"), 1)

    def test_results(self):
        for line, expected in [
            ("RESULT: true", "true"),
            ("RESULT: false(valid-deref)", "false(valid-deref)"),
            ("RESULT: unknown(timeout)", "unknown (timeout)"),
        ]:
            self.assertEqual(self.tool.determine_result(run(["noise", line])), expected)

    def test_last_line_counts(self):
        lines = ["RESULT: true", "RESULT: false(no-overflow)"]
        self.assertEqual(self.tool.determine_result(run(lines)), "false(no-overflow)")

    def test_errors(self):
        self.assertIn("ERROR", self.tool.determine_result(run([], 2)))
        self.assertIn("internal", self.tool.determine_result(run(["text"], 70)))
        self.assertIn("ERROR", self.tool.determine_result(run(["RESULT: maybe"], 1)))


if __name__ == "__main__":
    unittest.main()
