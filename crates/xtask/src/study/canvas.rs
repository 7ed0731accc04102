//! A picture that is drawn once and kept twice: as SVG, and as pixels for PNG.
//!
//! Pixels are set without smoothing, text is a 5 by 7 raster of capitals, and PNG is written without compression: all that a
//! plot of points and lines needs, and the same bytes for the same numbers.

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
    width: usize,
    height: usize,
    svg: String,
    pixels: Vec<Color>,
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
        Canvas { width, height, svg, pixels: vec![[255; 3]; width * height] }
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: Color) {
        let _ = writeln!(
            self.svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{}\"/>",
            hex(color)
        );
        let n = (x2 - x1).abs().max((y2 - y1).abs()).ceil().max(1.0);
        for i in 0..=n as usize {
            let t = i as f64 / n;
            self.dot(x1 + (x2 - x1) * t, y1 + (y2 - y1) * t, color);
        }
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
        let n = SIZE as i32;
        for dx in -n..=n {
            for dy in -n..=n {
                let inside = match mark {
                    Mark::Circle => ((dx * dx + dy * dy) as f64).sqrt().round() as i32 == n,
                    Mark::Square => dx.abs() == n || dy.abs() == n,
                    Mark::Cross => dx.abs() == dy.abs(),
                    Mark::Triangle => dy == n || (dy + n) / 2 == dx.abs(),
                };
                if inside {
                    self.dot(x + f64::from(dx), y + f64::from(dy), color);
                }
            }
        }
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), text: &str, anchor: Anchor, color: Color) {
        let (word, part) = match anchor {
            Anchor::Start => ("start", 0.0),
            Anchor::Middle => ("middle", 0.5),
            Anchor::End => ("end", 1.0),
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{word}\" fill=\"{}\">{escaped}</text>",
            hex(color)
        );
        let mut left = x - part * (6 * text.chars().count()) as f64;
        for c in text.chars() {
            for (row, bits) in glyph(c).into_iter().enumerate() {
                for column in 0..5 {
                    if bits >> (4 - column) & 1 == 1 {
                        self.dot(left + f64::from(column), y - 7.0 + row as f64, color);
                    }
                }
            }
            left += 6.0;
        }
    }

    fn dot(&mut self, x: f64, y: f64, color: Color) {
        let (x, y) = (x.round(), y.round());
        if x >= 0.0 && y >= 0.0 && (x as usize) < self.width && (y as usize) < self.height {
            self.pixels[y as usize * self.width + x as usize] = color;
        }
    }

    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        format!("{}</svg>\n", self.svg)
    }

    /// The picture as PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut raw = Vec::with_capacity(self.height * (1 + 3 * self.width));
        for row in self.pixels.chunks(self.width) {
            // No filter.
            raw.push(0);
            raw.extend(row.iter().flatten());
        }
        let mut header = Vec::new();
        header.extend((self.width as u32).to_be_bytes());
        header.extend((self.height as u32).to_be_bytes());
        // Eight bits, colours, and the only methods that there are.
        header.extend([8, 2, 0, 0, 0]);
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut png, b"IHDR", &header);
        chunk(&mut png, b"IDAT", &stored(&raw));
        chunk(&mut png, b"IEND", &[]);
        png
    }
}

fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    png.extend((data.len() as u32).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let sum = crc32(&png[start..]);
    png.extend(sum.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let n_blocks = data.len().div_ceil(0xffff).max(1);
    for (i, block) in data.chunks(0xffff).enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(i + 1 == n_blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for &byte in data {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn crc32(data: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in data {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// The rows of a character, five bits each.
fn glyph(c: char) -> [u8; 7] {
    match c.to_ascii_uppercase() {
        '0' => [14, 17, 19, 21, 25, 17, 14],
        '1' => [4, 12, 4, 4, 4, 4, 14],
        '2' => [14, 17, 1, 2, 4, 8, 31],
        '3' => [31, 2, 4, 2, 1, 17, 14],
        '4' => [2, 6, 10, 18, 31, 2, 2],
        '5' => [31, 16, 30, 1, 1, 17, 14],
        '6' => [6, 8, 16, 30, 17, 17, 14],
        '7' => [31, 1, 2, 4, 8, 8, 8],
        '8' => [14, 17, 17, 14, 17, 17, 14],
        '9' => [14, 17, 17, 15, 1, 2, 12],
        'A' => [14, 17, 17, 31, 17, 17, 17],
        'B' => [30, 17, 17, 30, 17, 17, 30],
        'C' => [14, 17, 16, 16, 16, 17, 14],
        'D' => [28, 18, 17, 17, 17, 18, 28],
        'E' => [31, 16, 16, 30, 16, 16, 31],
        'F' => [31, 16, 16, 30, 16, 16, 16],
        'G' => [14, 17, 16, 23, 17, 17, 15],
        'H' => [17, 17, 17, 31, 17, 17, 17],
        'I' => [14, 4, 4, 4, 4, 4, 14],
        'J' => [7, 2, 2, 2, 2, 18, 12],
        'K' => [17, 18, 20, 24, 20, 18, 17],
        'L' => [16, 16, 16, 16, 16, 16, 31],
        'M' => [17, 27, 21, 21, 17, 17, 17],
        'N' => [17, 17, 25, 21, 19, 17, 17],
        'O' => [14, 17, 17, 17, 17, 17, 14],
        'P' => [30, 17, 17, 30, 16, 16, 16],
        'Q' => [14, 17, 17, 17, 21, 18, 13],
        'R' => [30, 17, 17, 30, 20, 18, 17],
        'S' => [15, 16, 16, 14, 1, 1, 30],
        'T' => [31, 4, 4, 4, 4, 4, 4],
        'U' => [17, 17, 17, 17, 17, 17, 14],
        'V' => [17, 17, 17, 17, 17, 10, 4],
        'W' => [17, 17, 17, 21, 21, 21, 10],
        'X' => [17, 17, 10, 4, 10, 17, 17],
        'Y' => [17, 17, 17, 10, 4, 4, 4],
        'Z' => [31, 1, 2, 4, 8, 16, 31],
        '.' => [0, 0, 0, 0, 0, 12, 12],
        ',' => [0, 0, 0, 0, 12, 4, 8],
        ':' => [0, 12, 12, 0, 12, 12, 0],
        '-' => [0, 0, 0, 31, 0, 0, 0],
        '+' => [0, 4, 4, 31, 4, 4, 0],
        '(' => [2, 4, 8, 8, 8, 4, 2],
        ')' => [8, 4, 2, 2, 2, 4, 8],
        '/' => [0, 1, 2, 4, 8, 16, 0],
        '=' => [0, 0, 31, 0, 31, 0, 0],
        '%' => [24, 25, 2, 4, 8, 19, 3],
        '_' => [0, 0, 0, 0, 0, 0, 31],
        _ => [0; 7],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(stored(b"Wikipedia")[16..], 0x11e6_0398u32.to_be_bytes()[..]);
        let mut canvas = Canvas::new(3, 2);
        canvas.mark((1.0, 1.0), Mark::Circle, [1, 2, 3]);
        assert_eq!(canvas.png()[..8], *b"\x89PNG\r\n\x1a\n");
        assert!(canvas.svg().ends_with("</svg>\n"));
    }
}
