"""What can go wrong, as exceptions."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, told so that its author can mend it: where it stands, what stands there, what would be right.

    Fields that do not apply are empty (line and column 0).
    """

    def __init__(self, text: str, *, file: str = "", line: int = 0, column: int = 0, pointer: str = "", value: str = "",
                 wrong: str = "", right: str = "") -> None:
        super().__init__(text)
        self.file = file
        self.line = line
        self.column = column
        self.pointer = pointer
        self.value = value
        self.wrong = wrong
        self.right = right


class BrokenPromise(RuntimeError):
    """A promise of Repose's own did not hold: our fault. The last good state stays."""
