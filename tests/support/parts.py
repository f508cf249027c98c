"""A share of a long list of programs, so that ctest can run several at the same time."""


def part(text):
    """`K/N` as an option: every N-th program from the K-th on."""
    number, count = map(int, text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(f"there is no part {text}")
    return slice(number - 1, None, count)


WHOLE = slice(None)
