"""What is raised when a question cannot be asked, or a program cannot be read."""


class Error(Exception):
    """There is no answer, because of what was asked or given. As a string, it is what a compiler prints.

    kind: "usage" (options that do not go together), "input" (the program cannot be read), "stopped" (the time was over
        before there was a program) or "internal" (a mistake of Weir).
    diagnostics: at least one Diagnostic, with file, line, column, message and hint.
    """

    def __init__(self, text, kind="usage", diagnostics=()):
        super().__init__(text)
        self.kind = kind
        self.diagnostics = list(diagnostics)

    def __str__(self):
        return self.args[0].rstrip("\n")
