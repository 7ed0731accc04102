"""BenchExec tool-info module for Vergo.

Put the folder of this file on PYTHONPATH and name the module in a benchmark definition:

    <benchmark tool="vergo" ...>

It uses nothing but BenchExec's documented base class. The verdict is read from the last line `RESULT: ...` that
Vergo prints; the data model comes from the task definition.
"""

import re

try:
    import benchexec.result as result
    import benchexec.tools.template

    BASE = benchexec.tools.template.BaseTool2
except ImportError:  # The module can be tested without BenchExec.
    BASE = object

    class result:  # noqa: N801
        """The strings of benchexec.result that are used here."""

        RESULT_DONE = "done"
        RESULT_ERROR = "ERROR"
        RESULT_FALSE_PROP = "false"
        RESULT_TRUE_PROP = "true"
        RESULT_UNKNOWN = "unknown"


RESULT_LINE = re.compile(r"^RESULT: (true|false|unknown)(?:\((.*)\))?\s*$")


class Tool(BASE):
    """Vergo, a verification framework for C."""

    def name(self):
        return "Vergo"

    def executable(self, tool_locator):
        return tool_locator.find_executable("vergo")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="vergo ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = (task.options or {}).get("data_model")
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        if rlimits.cputime and "--timeout" not in options:
            # The answer is given within a second of the limit, so that it is not lost.
            command += ["--timeout", str(max(1, int(rlimits.cputime) - 2))]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(int(rlimits.memory * 0.9) >> 20)]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        verdict = None
        for line in run.output:
            match = RESULT_LINE.match(line)
            if match:
                verdict = match
        if verdict is None:
            if run.exit_code.value == 2:
                return result.RESULT_ERROR + " (bad usage or input)"
            if run.exit_code.value == 70:
                return result.RESULT_ERROR + " (internal error)"
            return result.RESULT_ERROR
        word, what = verdict.groups()
        if word == "true":
            return result.RESULT_TRUE_PROP
        if word == "false":
            return f"{result.RESULT_FALSE_PROP}({what})" if what else result.RESULT_FALSE_PROP
        return f"{result.RESULT_UNKNOWN} ({what})" if what else result.RESULT_UNKNOWN
