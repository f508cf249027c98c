"""Plots as SVG, without a library: a square frame with a title and two axes, and whatever is put into it."""
import math

SIZE, MARGIN = 420, 56
INNER = SIZE - 2 * MARGIN


class LogAxis:
    """From the power of ten below the least value to the one above the greatest."""

    def __init__(self, values):
        self.low = math.floor(math.log10(max(min(values), 1e-9)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)

    def place(self, value):
        return (math.log10(max(value, 1e-9)) - self.low) / (self.high - self.low) * INNER

    def ticks(self):
        return [(10.0 ** exponent, f"1e{exponent}") for exponent in range(self.low, self.high + 1)]


class IntegerAxis:
    """From the least to the greatest of some integers."""

    def __init__(self, values):
        self.low = min(values)
        self.high = max(max(values), self.low + 1)

    def place(self, value):
        return (value - self.low) / (self.high - self.low) * INNER

    def ticks(self):
        return [(value, str(value)) for value in range(self.low, self.high + 1)]


class Plot:
    def __init__(self, title, x_name, x_axis, y_name, y_axis):
        self.x_axis, self.y_axis = x_axis, y_axis
        self.out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{SIZE}" height="{SIZE}" fill="white"/>',
            f'<text x="{SIZE / 2}" y="24" text-anchor="middle" font-size="13">{title}</text>',
            f'<text x="{SIZE / 2}" y="{SIZE - 14}" text-anchor="middle">{x_name}</text>',
            f'<text x="16" y="{SIZE / 2}" text-anchor="middle" transform="rotate(-90 16 {SIZE / 2})">{y_name}</text>',
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{INNER}" height="{INNER}" fill="none" stroke="#888"/>']
        for value, label in x_axis.ticks():
            self.out.append(f'<text x="{MARGIN + x_axis.place(value):.1f}" y="{SIZE - MARGIN + 15}" '
                            f'text-anchor="middle">{label}</text>')
        for value, label in y_axis.ticks():
            self.out.append(f'<text x="{MARGIN - 5}" y="{SIZE - MARGIN - y_axis.place(value):.1f}" text-anchor="end" '
                            f'dominant-baseline="middle">{label}</text>')

    def at(self, x, y):
        """Where in the picture a point of the plot is."""
        return MARGIN + self.x_axis.place(x), SIZE - MARGIN - self.y_axis.place(y)

    def line(self, points, style):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.out.append(f'<polyline points="{places}" fill="none" {style}/>')

    def circle(self, place, style):
        self.out.append(f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="2.5" {style}/>')

    def square(self, place, style):
        self.out.append(f'<rect x="{place[0] - 2.5:.1f}" y="{place[1] - 2.5:.1f}" width="5" height="5" {style}/>')

    def text(self, place, content):
        self.out.append(f'<text x="{place[0]}" y="{place[1]}">{content}</text>')

    def write(self, path):
        path.write_text("\n".join(self.out + ["</svg>", ""]))
