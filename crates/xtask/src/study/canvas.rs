//! A picture of points and lines as SVG: the same bytes for the same numbers.

use std::fmt::Write as _;

/// A colour: red, green, blue.
pub(crate) type Color = [u8; 3];

/// The form of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Circle,
    Cross,
    Triangle,
    Square,
}

/// Where a text stands in respect of its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture.
pub(crate) struct Canvas {
    svg: String,
}

const SIZE: f64 = 3.5;

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Canvas {
        let mut svg = String::new();
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
        );
        Canvas { svg }
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: Color) {
        let _ = writeln!(
            self.svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{}\"/>",
            hex(color)
        );
    }

    pub(crate) fn mark(&mut self, (x, y): (f64, f64), mark: Mark, color: Color) {
        let (s, c) = (SIZE, hex(color));
        let shape = match mark {
            Mark::Circle => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{s}\" fill=\"none\" stroke=\"{c}\"/>"
            ),
            Mark::Square => format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{c}\"/>",
                x - s,
                y - s,
                2.0 * s,
                2.0 * s
            ),
            Mark::Cross => format!(
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{c}\"/>",
                x - s,
                y - s,
                x + s,
                y + s,
                x - s,
                y + s,
                x + s,
                y - s
            ),
            Mark::Triangle => format!(
                "<path d=\"M{x:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"none\" stroke=\"{c}\"/>",
                y - s,
                x - s,
                y + s,
                x + s,
                y + s
            ),
        };
        let _ = writeln!(self.svg, "{shape}");
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), text: &str, anchor: Anchor, color: Color) {
        let word = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{word}\" fill=\"{}\">{escaped}</text>",
            hex(color)
        );
    }

    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        format!("{}</svg>\n", self.svg)
    }
}

fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut canvas = Canvas::new(3, 2);
        canvas.text((1.0, 1.0), "a < b", Anchor::Start, [1, 2, 3]);
        assert!(canvas.svg().contains("fill=\"#010203\">a &lt; b</text>\n</svg>\n"));
    }
}
